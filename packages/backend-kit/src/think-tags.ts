export interface SplitText {
  readonly text: string;
  readonly reasoning: string;
}

/** Splits a streamed message into reasoning and text. */
export interface ThinkTagSplitter {
  push(piece: string): SplitText;
  /** What was held back because it could have become a tag. */
  end(): SplitText;
}

const OPEN = "<think>";
const CLOSE = "</think>";

/**
 * Takes `<think>…</think>` out of a message that begins with it, as servers without a reasoning parser send it. A tag
 * anywhere else is text. White space before the tag and after it goes with it.
 */
export function splitThinkTags(): ThinkTagSplitter {
  let state: "start" | "thinking" | "gap" | "text" = "start";
  let held = "";

  function push(piece: string): SplitText {
    if (state === "text") return { text: piece, reasoning: "" };
    held += piece;
    let reasoning = "";
    if (state === "start") {
      const begin = held.trimStart();
      if (begin.length < OPEN.length && OPEN.startsWith(begin)) return { text: "", reasoning: "" };
      if (!begin.startsWith(OPEN)) return { text: release(), reasoning: "" };
      held = begin.slice(OPEN.length);
      state = "thinking";
    }
    if (state === "thinking") {
      const close = held.indexOf(CLOSE);
      const end = close === -1 ? held.length - endingThatMayBecome(CLOSE, held) : close;
      reasoning = held.slice(0, end);
      held = held.slice(close === -1 ? end : close + CLOSE.length);
      if (close === -1) return { text: "", reasoning };
      state = "gap";
    }
    held = held.trimStart();
    return { text: held === "" ? "" : release(), reasoning };
  }

  function release(): string {
    const text = held;
    held = "";
    state = "text";
    return text;
  }

  return {
    push,
    end() {
      const rest = held;
      held = "";
      return state === "thinking" ? { text: "", reasoning: rest } : { text: rest, reasoning: "" };
    },
  };
}

/** Length of the longest end of `text` that is a beginning of `tag`. */
function endingThatMayBecome(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}

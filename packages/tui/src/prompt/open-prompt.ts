import { Editor, type EditorTheme, matchesKey, ProcessTerminal, type Terminal, TUI, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { visibleText } from "@massgen/views";
import type { Style } from "../style.js";
import { type CompletionPlaces, createCompletions } from "./completions.js";
import { harmless, typeable } from "./harmless.js";

/** `interrupt`: Ctrl+C, which has cleared what was typed; `wasEmpty`: there was nothing to clear. */
export type Typed =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "interrupt"; readonly wasEmpty: boolean }
  | { readonly is: "end" };

/**
 * An editor of several lines below what stands in the terminal already. Between two reads the terminal is as it was before,
 * and what is typed then comes with the next.
 */
export interface Prompt {
  /** Resolves with a text of one or more lines, begun with `text`; what was typed stands in the scrollback then. */
  read(text?: string): Promise<Typed>;
  /** Adds a text to what the arrows go back to. */
  remember(text: string): void;
  close(): void;
}

export interface PromptOptions extends CompletionPlaces {
  readonly style: Style;
  /** Newest first. */
  readonly history: readonly string[];
  /** Reads end when it aborts. */
  readonly signal: AbortSignal;
  /** Default: that of this process. */
  readonly terminal?: Terminal;
}

const MOST_SHOWN = 8;

export function openPrompt({ style, history, signal, list, terminal = new ProcessTerminal() }: PromptOptions): Prompt {
  const past = [...history];
  const completions = createCompletions({ list });
  let isClosed = false;

  return {
    read(begun = "") {
      if (isClosed || signal.aborted) return Promise.resolve({ is: "end" });
      const tui = new TUI(terminal, true);
      const editor = new Editor(tui, themeOf(style), { autocompleteMaxVisible: MOST_SHOWN });
      editor.setAutocompleteProvider(completions);
      // The editor puts each in front of the ones before.
      for (const text of past.toReversed()) editor.addToHistory(typeable(text));
      if (begun !== "") editor.setText(typeable(begun));
      const shown = harmless(editor);
      tui.addChild(shown);
      tui.setFocus(editor);
      return new Promise<Typed>((resolve) => {
        const end = (typed: Typed): void => {
          signal.removeEventListener("abort", onAbort);
          stopListening();
          // What was typed stays, without the frame around it.
          tui.removeChild(shown);
          tui.addChild(plainLines(typed.is === "text" ? typed.text : "", style));
          tui.requestRender(true);
          setImmediate(() => {
            tui.stop();
            resolve(typed);
          });
        };
        const onAbort = (): void => end({ is: "end" });
        const stopListening = tui.addInputListener((data) => {
          if (matchesKey(data, "ctrl+c")) {
            const wasEmpty = editor.getText() === "";
            end({ is: "interrupt", wasEmpty });
            return { consume: true };
          }
          if (matchesKey(data, "ctrl+d") && editor.getText() === "") {
            end({ is: "end" });
            return { consume: true };
          }
          return undefined;
        });
        editor.onSubmit = (text) => end({ is: "text", text });
        signal.addEventListener("abort", onAbort, { once: true });
        tui.start();
      });
    },
    remember(text) {
      const at = past.indexOf(text);
      if (at !== -1) past.splice(at, 1);
      past.unshift(text);
    },
    close() {
      isClosed = true;
    },
  };
}

/** A text as it stands in the scrollback. */
const plainLines = (text: string, style: Style): { render: (width: number) => string[]; invalidate: () => void } => ({
  render: (width) =>
    text === ""
      ? []
      : visibleText(text)
          .split("\n")
          .flatMap((line, index) => wrapTextWithAnsi(`${style("accent", index === 0 ? ">" : " ")} ${line}`, width)),
  invalidate: () => {},
});

const themeOf = (style: Style): EditorTheme => ({
  borderColor: (text) => style("faint", text),
  selectList: {
    selectedPrefix: (text) => style("accent", text),
    selectedText: (text) => style("strong", text),
    description: (text) => style("faint", text),
    scrollInfo: (text) => style("faint", text),
    noMatch: (text) => style("faint", text),
  },
});

import type { Channel, Delta, Recorded, RunEvent } from "@massgen/contracts";
import { describeRecord, emptyRunView, foldRecord, type RunView } from "@massgen/views";

/** What of a run goes to a client. */
type Heard =
  /** Complete lines, `[source] text`. */
  | { readonly type: "trace"; readonly lines: readonly string[] }
  /** A piece of the final answer, as it is written. */
  | { readonly type: "content"; readonly text: string };

/** Sorts the events of one run into trace and answer. Keeps what it needs to do so; made anew for every run. */
export interface Listener {
  hear(event: RunEvent): readonly Heard[];
  /** The run so far. */
  view(): RunView;
  /** Lines that were begun and not ended. */
  rest(): readonly string[];
}

/**
 * Trace is what agents think, what happens to them, and what the coordination says; content is what the presenter writes, or
 * a single agent without coordination (docs/spec/cli.md 17.5). Texts of answers are not trace: they stand in the metadata.
 */
export function listen(): Listener {
  let view = emptyRunView;
  const begun = new Map<string, string>();
  /** The presenter's next text begins a paragraph of its own. */
  let isNewResponse = false;
  let hasContent = false;

  const isAnswer = (delta: { readonly channel: Channel }): boolean =>
    delta.channel === "presentation" || (view.state.mode === "single" && delta.channel === "work");

  function lines(source: string, text: string): readonly string[] {
    const all = ((begun.get(source) ?? "") + text).split("\n");
    begun.set(source, all.pop() ?? "");
    return all.filter((line) => line.trim() !== "").map((line) => `[${source}] ${line}`);
  }

  function endLine(source: string): readonly string[] {
    const text = begun.get(source) ?? "";
    begun.delete(source);
    return text.trim() === "" ? [] : [`[${source}] ${text}`];
  }

  function hearFact(record: Recorded): readonly string[] {
    view = foldRecord(view, record);
    const source = "agent" in record && typeof record.agent === "string" ? record.agent : "massgen";
    const sentence = describeRecord(record, view);
    if (sentence === null) return [];
    // The source in brackets says who; sentences begin with the same name.
    return [...endLine(source), `[${source}] ${sentence.startsWith(`${source} `) ? sentence.slice(source.length + 1) : sentence}`];
  }

  function hearDelta(delta: Delta): readonly Heard[] {
    switch (delta.type) {
      case "reasoning_delta":
        return traced(lines(delta.agent, delta.text));
      case "notice":
        return traced([`[${delta.agent ?? "massgen"}] ${delta.message}`]);
      case "response_started":
        if (isAnswer(delta)) isNewResponse = true;
        return traced(endLine(delta.agent));
      case "content_delta": {
        if (!isAnswer(delta) || delta.text === "") return [];
        const gap = isNewResponse && hasContent ? "\n\n" : "";
        isNewResponse = false;
        hasContent = true;
        return [{ type: "content", text: gap + delta.text }];
      }
      default:
        return [];
    }
  }

  return {
    hear: (event) => ("seq" in event ? traced(hearFact(event)) : hearDelta(event)),
    view: () => view,
    rest: () => [...begun.keys()].flatMap(endLine),
  };
}

const traced = (lines: readonly string[]): readonly Heard[] => (lines.length === 0 ? [] : [{ type: "trace", lines }]);

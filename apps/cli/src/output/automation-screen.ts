import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import type { Sink } from "../io.js";
import { openingLines, passingLines, resultLines } from "./automation.js";
import type { Screen } from "./screen.js";
import { escapedLine } from "./visible-text.js";

/** Lines for scripts on `out`; warnings and `INTERRUPTED` on `err`. */
export function createAutomationScreen({ out, err }: { readonly out: Sink; readonly err: Sink }): Screen {
  let view: RunView = emptyRunView;
  const put = (lines: readonly string[]): void => {
    if (lines.length > 0) out.write(lines.map((line) => `${line}\n`).join(""));
  };
  return {
    begin: (start) => put(openingLines(start)),
    event: (event) => {
      if (!("seq" in event)) return;
      view = foldRecord(view, event);
      put(passingLines(event));
    },
    end: (end) => {
      put(resultLines(end, view));
      if (end.result.status === "partial") err.write("WARNING: partial result, saved from unfinished work; nobody has judged it\n");
    },
    interrupted: () => err.write("INTERRUPTED\n"),
    say: (kind, message) => err.write(`${kind.toUpperCase()}: ${escapedLine(message)}\n`),
    fail: () => {},
    close: () => {},
  };
}

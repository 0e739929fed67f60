import type { OutputRequest } from "../../args/request.js";
import type { Sink } from "../../io.js";
import { escapedLine, visibleJson, visibleLine, visibleText } from "../visible-text.js";

/** How `compare` and `eval` speak: lines for scripts, JSON at the end, or text for people. */
export interface Reporter {
  /** A fact with a name: a line on stdout for scripts, a sentence on stderr for people. */
  readonly tell: (key: string, forScripts: string, forPeople: string) => void;
  readonly warn: (message: string) => void;
  /** What it came to: text for people, the object for JSON, lines for scripts. All of it on stdout. */
  readonly conclude: (result: { readonly text: string; readonly json: unknown; readonly lines: readonly string[] }) => void;
}

export type Manner = "people" | "scripts" | "json";

export const mannerOf = (mode: OutputRequest["mode"], json: boolean): Manner =>
  json ? "json" : mode === "automation" ? "scripts" : "people";

export function createReporter(manner: Manner, { out, err }: { readonly out: Sink; readonly err: Sink }): Reporter {
  const isScript = manner === "scripts";
  return {
    tell: (key, forScripts, forPeople) =>
      isScript ? out.write(`${key}: ${escapedLine(forScripts)}\n`) : err.write(`${visibleLine(forPeople)}\n`),
    warn: (message) => err.write(isScript ? `WARNING: ${escapedLine(message)}\n` : `massgen: warning: ${visibleLine(message)}\n`),
    conclude: ({ text, json, lines }) => {
      if (manner === "json") out.write(`${visibleJson(json)}\n`);
      else if (isScript) out.write(lines.map((line) => `${escapedLine(line)}\n`).join(""));
      else out.write(`${visibleText(text)}\n`);
    },
  };
}

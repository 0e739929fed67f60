import type { ExplainedValue, ValueOrigin } from "@massgen/config";
import { cells, cut } from "../output/columns.js";

/** Longer values are cut: what they are is in the file. */
const VALUE_CELLS = 60;

interface Circumstances {
  /** Tells a variable of the process from one of a `.env` file. */
  readonly isInProcess: (variable: string) => boolean;
  /** False for a team that the command line alone makes. */
  readonly hasFile: boolean;
}

/** One line for each value: path, value, where it comes from. */
export function explainTable(values: readonly ExplainedValue[], circumstances: Circumstances): string {
  const rows = values.map(
    ({ path, value, origin }) => [path, cut(shown(value), VALUE_CELLS), place(origin, value, circumstances)] as const,
  );
  const first = Math.max(0, ...rows.map(([path]) => cells(path)));
  const second = Math.max(0, ...rows.map(([, value]) => cells(value)));
  return rows.map(([path, value, origin]) => `${fill(path, first)}  ${fill(value, second)}  ${origin}\n`).join("");
}

const shown = (value: ExplainedValue["value"]): string =>
  value === null ? "-" : typeof value === "string" ? value.replaceAll(/\s*\n\s*/g, " ⏎ ") : JSON.stringify(value);

function place(origin: ValueOrigin, value: ExplainedValue["value"], { isInProcess, hasFile }: Circumstances): string {
  const source = (name: string): string => (isInProcess(name) ? `environment: ${name}` : `.env file: ${name}`);
  switch (origin.is) {
    case "file": {
      const written = origin.written === null ? "" : `, written as ${JSON.stringify(origin.written)}`;
      const key = origin.key === null ? "" : `, written at ${origin.key}`;
      const variables = origin.variables.length === 0 ? "" : `, with ${origin.variables.join(", ")} of the environment`;
      return `${origin.file}:${origin.line}:${origin.column}${key}${written}${variables}`;
    }
    case "override":
      return `flag: ${flagOf[origin.override] ?? origin.override}`;
    case "environment":
      return value === null ? `not set: ${origin.variables.join(" or ")}` : source(origin.variables[0] ?? "");
    case "derived":
      return hasFile ? "follows from the others" : "command line";
    case "default":
      return value === null ? "not set" : "default";
  }
}

const flagOf: Readonly<Record<string, string>> = {
  orchestratorTimeoutSeconds: "--orchestrator-timeout",
  model: "--model",
  baseUrl: "--base-url",
  systemMessage: "--system-message",
  coordinationMode: "--coordination-mode",
  quick: "--quick",
  record: "--record",
  rateLimit: "--rate-limit",
  contextPaths: "@path in the question, or --cwd-context",
};

const fill = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - cells(text)));

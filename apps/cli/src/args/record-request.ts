import type { Flag } from "./flag.js";
import { numberOf, textOf } from "./given-values.js";
import type { Given } from "./program.js";

/** What `massgen logs` is asked for. `log`: a folder, or `latest`. */
export type LogsRequest =
  | { readonly kind: "logs"; readonly verb: "summary" | "open"; readonly log: string; readonly json: boolean }
  | { readonly kind: "logs"; readonly verb: "list"; readonly limit: number; readonly json: boolean }
  | { readonly kind: "logs"; readonly verb: "tools"; readonly log: string; readonly sort: "time" | "calls"; readonly json: boolean }
  /** `log`: `null` for all of this folder. */
  | {
      readonly kind: "logs";
      readonly verb: "grep";
      readonly text: string;
      readonly log: string | null;
      readonly limit: number;
      readonly json: boolean;
    }
  | { readonly kind: "logs"; readonly verb: "import"; readonly from: string; readonly json: boolean }
  | { readonly kind: "logs"; readonly verb: "analyze"; readonly log: string; readonly turn: number | null };

export const logsVerbs = ["summary", "list", "tools", "open", "grep", "import", "analyze"] as const;
type Verb = (typeof logsVerbs)[number];

/** Rows of `logs list` and `logs grep` unless `--limit` says otherwise. */
const LIST_LIMIT = 10;
const GREP_LIMIT = 50;

/** What is wrong with the words of a command, or what they ask for. */
export type Read<T> = T | { readonly fault: string };

export function logsRequest(given: Given, operands: readonly string[]): Read<LogsRequest> {
  const [word = "summary", ...rest] = operands;
  const verb = logsVerbs.find((name) => name === word);
  if (verb === undefined) return { fault: `logs has no ${JSON.stringify(word)}; it has ${logsVerbs.join(", ")}` };
  const misplaced = [...given.keys()].find((name) => !takes(verb, name));
  if (misplaced !== undefined) return { fault: `${misplaced} does not go with logs ${verb}` };
  const spare = rest[verb === "grep" || verb === "import" ? 1 : 0];
  if (spare !== undefined)
    return {
      fault: `unexpected argument ${JSON.stringify(spare)}${verb === "grep" ? "; a text of several words goes in quotes" : "; the log is named with --log-dir"}`,
    };
  const log = textOf(given, "--log-dir");
  const json = given.has("--json");
  switch (verb) {
    case "list":
      return { kind: "logs", verb, limit: numberOf(given, "--limit") ?? LIST_LIMIT, json };
    case "tools":
      return { kind: "logs", verb, log: log ?? "latest", sort: textOf(given, "--sort") === "calls" ? "calls" : "time", json };
    case "grep": {
      const [text] = rest;
      if (text === undefined || text === "") return { fault: "logs grep needs the text to look for" };
      return { kind: "logs", verb, text, log, limit: numberOf(given, "--limit") ?? GREP_LIMIT, json };
    }
    case "import": {
      const [from] = rest;
      if (from === undefined) return { fault: "logs import needs the folder of a log of MassGen in Python" };
      return { kind: "logs", verb, from, json };
    }
    case "analyze":
      return { kind: "logs", verb, log: log ?? "latest", turn: numberOf(given, "--turn") };
    case "summary":
    case "open":
      return { kind: "logs", verb, log: log ?? "latest", json };
  }
}

const FLAGS_OF: Readonly<Record<Verb, readonly Flag["name"][]>> = {
  summary: ["--log-dir", "--json"],
  list: ["--limit", "--json"],
  tools: ["--log-dir", "--sort", "--json"],
  open: ["--log-dir", "--json"],
  grep: ["--log-dir", "--limit", "--json"],
  import: ["--json"],
  analyze: ["--log-dir", "--mode", "--turn"],
};
const takes = (verb: Verb, name: Flag["name"]): boolean => FLAGS_OF[verb].includes(name);

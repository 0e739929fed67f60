import type { TurnChoice } from "@massgen/export";
import { textOf } from "./given-values.js";
import type { Given } from "./program.js";
import type { Read } from "./record-request.js";

/** What `massgen export` is asked for. */
export interface ExportRequest {
  readonly kind: "export";
  /** A folder, the name of a log of this folder, or `latest`. */
  readonly log: string;
  readonly turns: TurnChoice;
  /** `null`: without the delivered files. `undefined`: as usual. */
  readonly workspaceLimitBytes: number | null | undefined;
  /** `null`: a page beside us, named after the log. */
  readonly to: string | null;
  readonly gist: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly verbose: boolean;
  readonly json: boolean;
}

export type SharesRequest =
  | { readonly kind: "shares"; readonly verb: "list"; readonly json: boolean }
  | { readonly kind: "shares"; readonly verb: "delete"; readonly id: string; readonly json: boolean };

export function exportRequest(given: Given, operand: string | null): Read<ExportRequest> {
  const turns = turnsOf(textOf(given, "--turns") ?? "all");
  if (turns === null) return { fault: `--turns takes all, latest, N or N-M, not ${JSON.stringify(textOf(given, "--turns"))}` };
  const size = textOf(given, "--workspace-limit");
  const limit = size === null ? undefined : bytesOf(size);
  if (limit === null) return { fault: `--workspace-limit takes a size such as 500KB, 2MB or 1GB, not ${JSON.stringify(size)}` };
  const without = given.has("--no-workspace");
  if (without && limit !== undefined) return { fault: "--no-workspace and --workspace-limit exclude each other" };
  const [gist, output] = [given.has("--gist"), textOf(given, "--output")];
  if (gist && output !== null) return { fault: "--gist and --output exclude each other" };
  return {
    kind: "export",
    log: operand ?? "latest",
    turns,
    workspaceLimitBytes: without ? null : limit,
    to: output,
    gist,
    yes: given.has("--yes"),
    dryRun: given.has("--dry-run"),
    verbose: given.has("--verbose"),
    json: given.has("--json"),
  };
}

function turnsOf(text: string): TurnChoice | null {
  if (text === "all" || text === "latest") return text;
  const [, from, to = from] = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(text) ?? [];
  if (from === undefined || Number(to) < Number(from)) return null;
  return { from: Number(from), to: Number(to) };
}

const UNIT: Readonly<Record<string, number>> = { "": 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30 };

/** `500KB`, `1.5MB`, `20000`; `null` for what is no size. */
export function bytesOf(text: string): number | null {
  const [, number, unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)\s?([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = UNIT[unit.toUpperCase()];
  return number === undefined || factor === undefined ? null : Math.round(Number(number) * factor);
}

export function sharesRequest(given: Given, [verb, id, more]: readonly string[]): Read<SharesRequest> {
  const json = given.has("--json");
  if (verb === "list") return id === undefined ? { kind: "shares", verb, json } : { fault: `unexpected argument ${JSON.stringify(id)}` };
  if (verb !== "delete")
    return { fault: `shares takes list, or delete and an id${verb === undefined ? "" : `, not ${JSON.stringify(verb)}`}` };
  if (id === undefined) return { fault: "shares delete needs the id of a share; list them with: massgen shares list" };
  return more === undefined ? { kind: "shares", verb, id, json } : { fault: `unexpected argument ${JSON.stringify(more)}` };
}

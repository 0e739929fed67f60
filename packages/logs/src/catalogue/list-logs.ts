import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FinishReason } from "@massgen/views";
import { isLogInUse } from "./log-in-use.js";
import { turnFolders } from "./turn-folders.js";

/** One log as its root says; what cannot be read is `null`. */
export interface LogEntry {
  readonly name: string;
  readonly folder: string;
  /** `running`: a living process writes it. `interrupted`: it broke off, and nobody does. `unreadable`: it has no status. */
  readonly state: Exclude<FinishReason, "in_progress"> | "running" | "interrupted" | "unreadable";
  /** Of the newest turn. */
  readonly question: string | null;
  readonly winner: string | null;
  /** Unix seconds. */
  readonly startedAt: number | null;
  readonly seconds: number | null;
  readonly agents: readonly string[];
  readonly costUsd: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly turns: number;
  readonly simulated: boolean;
}

/**
 * The logs below a folder, newest first. The time of the start is in their names, so a limit costs only the logs it shows.
 * A folder that does not exist has none.
 */
export async function listLogs(base: string, { limit = Number.POSITIVE_INFINITY }: ListLogsOptions = {}): Promise<readonly LogEntry[]> {
  const names = (await logNames(base)).slice(0, limit);
  const entries: LogEntry[] = [];
  // A few at a time: ten thousand logs must not open ten thousand files.
  for (let from = 0; from < names.length; from += 32)
    entries.push(...(await Promise.all(names.slice(from, from + 32).map((name) => readLogEntry(join(base, name))))));
  return entries;
}

export interface ListLogsOptions {
  readonly limit?: number;
}

/** Names of the log folders below `base`, newest first. */
export async function logNames(base: string): Promise<readonly string[]> {
  const found = await readdir(base, { withFileTypes: true }).catch(() => []);
  const names = found.filter((entry) => entry.isDirectory() && entry.name.startsWith("log_")).map(({ name }) => name);
  return names.toSorted().toReversed();
}

/** What the `status.json` of a log root says, and whether the log is being written. Never rejects. */
export async function readLogEntry(folder: string): Promise<LogEntry> {
  const [status, turns] = await Promise.all([readStatus(join(folder, "status.json")), turnFolders(folder)]);
  const [meta, results, costs] = [mapAt(status, "meta"), mapAt(status, "results"), mapAt(status, "costs")];
  return {
    name: basename(folder),
    folder,
    state: await stateOf(folder, status),
    question: textAt(meta, "question"),
    winner: textAt(results, "winner"),
    startedAt: numberAt(meta, "start_time"),
    seconds: numberAt(meta, "elapsed_seconds"),
    agents: Object.keys(mapAt(status, "agents")),
    costUsd: numberAt(costs, "total_estimated_cost"),
    inputTokens: numberAt(costs, "total_input_tokens"),
    outputTokens: numberAt(costs, "total_output_tokens"),
    turns: turns.length,
    simulated: meta["simulated"] === true,
  };
}

const ENDED = ["completed", "timeout", "cancelled", "error", "budget", "waiting_for_review"] as const;

async function stateOf(folder: string, status: Fields | null): Promise<LogEntry["state"]> {
  if (await isLogInUse(folder)) return "running";
  if (status === null) return "unreadable";
  return ENDED.find((reason) => reason === status["finish_reason"]) ?? "interrupted";
}

type Fields = Readonly<Record<string, unknown>>;

async function readStatus(file: string): Promise<Fields | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const mapAt = (fields: Fields | null, key: string): Fields => (isFields(fields?.[key]) ? fields[key] : {});
const textAt = (fields: Fields, key: string): string | null => (typeof fields[key] === "string" ? fields[key] : null);
const numberAt = (fields: Fields, key: string): number | null => (typeof fields[key] === "number" ? fields[key] : null);

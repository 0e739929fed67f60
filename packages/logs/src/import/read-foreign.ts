import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { parse } from "yaml";

export type Fields = Readonly<Record<string, unknown>>;

/** The files of one run as MassGen in Python left them, read and not yet understood. */
export interface ForeignLog {
  readonly folder: string;
  /** Of `coordination_events.json`. */
  readonly metadata: Fields;
  readonly events: readonly ForeignEvent[];
  /** `snapshot_mappings.json`: label → where its text is. */
  readonly snapshots: Fields;
  /** `execution_metadata.yaml`. */
  readonly execution: Fields;
  readonly metricsSummary: Fields;
  readonly metricsEvents: Fields;
  readonly status: Fields;
}

export interface ForeignEvent {
  readonly at: number;
  readonly type: string;
  readonly agent: string | null;
  readonly details: string;
  readonly context: Fields;
}

export interface ForeignTurn {
  readonly turn: number;
  readonly folder: string;
}

/** The newest attempt of every turn below a log folder of MassGen in Python; the folder itself where there are none. */
export async function foreignTurns(folder: string): Promise<readonly ForeignTurn[]> {
  const names = await readdir(folder).catch(() => []);
  const turns = numbered(names, "turn");
  if (turns.length === 0) return [{ turn: 1, folder: await newestAttempt(folder) }];
  return Promise.all(turns.map(async (turn) => ({ turn, folder: await newestAttempt(join(folder, `turn_${turn}`)) })));
}

async function newestAttempt(folder: string): Promise<string> {
  const attempts = numbered(await readdir(folder).catch(() => []), "attempt");
  return attempts.length === 0 ? folder : join(folder, `attempt_${attempts.at(-1)}`);
}

const numbered = (names: readonly string[], word: string): readonly number[] =>
  names
    .map((name) => Number(new RegExp(`^${word}_([1-9]\\d{0,5})$`).exec(name)?.[1] ?? 0))
    .filter((number) => number > 0)
    .toSorted((a, b) => a - b);

/** @throws MassgenError `STORE_FAILED` (exit code 1) when there is no `coordination_events.json` that can be read */
export async function readForeignLog(folder: string): Promise<ForeignLog> {
  const coordination = await jsonIn(folder, "coordination_events.json");
  const events = Array.isArray(coordination["events"]) ? coordination["events"].flatMap((event: unknown) => eventOf(event) ?? []) : [];
  if (events.length === 0)
    throw new MassgenError("STORE_FAILED", `${folder} is no log of MassGen: it has no coordination_events.json with events.`, {
      exitCode: 1,
      hint: "Give a folder log_… of .massgen/massgen_logs, or one of its turns or attempts.",
    });
  return {
    folder,
    metadata: fieldsAt(coordination, "session_metadata"),
    events,
    snapshots: await jsonIn(folder, "snapshot_mappings.json"),
    execution: await yamlIn(folder, "execution_metadata.yaml"),
    metricsSummary: await jsonIn(folder, "metrics_summary.json"),
    metricsEvents: await jsonIn(folder, "metrics_events.json"),
    status: await jsonIn(folder, "status.json"),
  };
}

function eventOf(value: unknown): ForeignEvent | null {
  if (!isFields(value)) return null;
  const seconds = value["timestamp"];
  const at = typeof seconds === "number" ? Math.round(seconds * 1000) : Date.parse(String(seconds));
  if (!Number.isFinite(at) || typeof value["event_type"] !== "string") return null;
  return {
    at,
    type: value["event_type"],
    agent: textAt(value, "agent_id"),
    details: textAt(value, "details") ?? "",
    context: fieldsAt(value, "context"),
  };
}

/** A text of the log by its path below the folder; `null` when it is not there. Nothing outside of the folder is read. */
export async function textIn(folder: string, path: string): Promise<string | null> {
  if (path.split(/[\\/]/).some((part) => part === "..") || /^(?:[\\/]|[a-z]:)/i.test(path)) return null;
  return readFile(join(folder, path), "utf8").catch(() => null);
}

/** The texts `answer.txt` of an agent, oldest first, by the names of their folders. */
export async function answersOf(folder: string, agent: string): Promise<readonly string[]> {
  const steps = (await readdir(join(folder, basename(agent))).catch(() => [])).filter((name) => /^\d{8}_\d{6}/.test(name)).toSorted();
  const texts = await Promise.all(steps.map((step) => textIn(folder, `${basename(agent)}/${step}/answer.txt`)));
  return texts.filter((text) => text !== null);
}

async function jsonIn(folder: string, name: string): Promise<Fields> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, name), "utf8"));
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

async function yamlIn(folder: string, name: string): Promise<Fields> {
  try {
    const value: unknown = parse(await readFile(join(folder, name), "utf8"), { maxAliasCount: 0 });
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

export const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsAt = (fields: Fields, key: string): Fields => (isFields(fields[key]) ? fields[key] : {});
export const textAt = (fields: Fields, key: string): string | null => (typeof fields[key] === "string" ? fields[key] : null);
export const numberAt = (fields: Fields, key: string): number | null =>
  typeof fields[key] === "number" && Number.isFinite(fields[key]) ? fields[key] : null;

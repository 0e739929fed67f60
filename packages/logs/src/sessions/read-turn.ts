import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentId } from "@massgen/contracts";
import type { FinishReason } from "@massgen/views";
import type { PartialAnswer } from "./turn-end.js";
import type { SessionOrigin, SessionTurn } from "./turn-record.js";

const TURN = /^turn_([1-9]\d*)$/;
export const turnFolderName = (turn: number): string => `turn_${turn}`;

export type ReadTurn =
  | { readonly turn: number; readonly is: "readable"; readonly record: SessionTurn; readonly origin: SessionOrigin }
  /** Nothing was written but that it began. */
  | { readonly turn: number; readonly is: "begun" }
  | { readonly turn: number; readonly is: "unreadable"; readonly why: string };

/** All turns of a session's folder, oldest first; each is read by itself, so that damage to one says nothing of the others. */
export async function readTurns(folder: string): Promise<readonly ReadTurn[]> {
  const names = await readdir(folder).catch(() => []);
  const turns = names.flatMap((name) => Number(TURN.exec(name)?.[1] ?? [])).filter((turn) => turn > 0);
  return Promise.all(turns.toSorted((a, b) => a - b).map((turn) => readTurn(folder, turn)));
}

export async function readTurn(session: string, turn: number): Promise<ReadTurn> {
  const folder = join(session, turnFolderName(turn));
  const entries = new Set(await readdir(folder).catch(() => []));
  if (!entries.has("metadata.json")) return { turn, is: "begun" };
  try {
    const map = await readMap(join(folder, "metadata.json"));
    const status = map["status"] === "incomplete" ? "incomplete" : "complete";
    const answer = entries.has("answer.txt") ? clean(await readFile(join(folder, "answer.txt"), "utf8")) : null;
    if (status === "complete" && answer === null) return { turn, is: "unreadable", why: "its answer.txt is missing" };
    const partial = entries.has("partial_answers.json") ? partialFrom(await readMap(join(folder, "partial_answers.json"))) : [];
    const task = textIn(map, "task");
    if (task === null) return { turn, is: "unreadable", why: "its metadata.json has no task" };
    const record: SessionTurn = {
      turn,
      task,
      status,
      answer,
      partial,
      timestamp: textIn(map, "timestamp") ?? "",
      finishReason: textIn(map, "finish_reason") as FinishReason | null,
      winner: textIn(map, "winning_agent"),
      phase: textIn(map, "phase"),
      workspace: entries.has("workspace") ? join(folder, "workspace") : null,
      workspaces: entries.has("workspaces") ? await workspacesIn(join(folder, "workspaces"), map["workspaces"]) : new Map(),
      logDirectory: textIn(map, "log_dir"),
    };
    const origin = { configPath: textIn(map, "config_path"), model: textIn(map, "model"), logRoot: textIn(map, "log_root") };
    return { turn, is: "readable", record, origin };
  } catch (error) {
    return { turn, is: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
}

type Json = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const textIn = (map: Json, key: string): string | null => (typeof map[key] === "string" ? map[key] : null);

/** A byte order mark and line ends of another system are no damage. */
const clean = (text: string): string => text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");

export async function readMap(file: string): Promise<Json> {
  let value: unknown;
  try {
    value = JSON.parse(clean(await readFile(file, "utf8")));
  } catch (cause) {
    throw new Error(`${file} cannot be read (${cause instanceof Error ? cause.message : String(cause)})`, { cause });
  }
  if (!isMap(value)) throw new Error(`${file} holds no object`);
  return value;
}

function partialFrom(map: Json): readonly PartialAnswer[] {
  return Object.entries(map).flatMap(([agent, value], index) => {
    if (!isMap(value)) return [];
    const votes = isMap(value["votes"]) ? value["votes"] : {};
    const voted = textIn(votes, "agent_id");
    return {
      agent,
      anon: textIn(value, "anon_id") ?? `agent${index + 1}`,
      answer: textIn(value, "answer"),
      answerCount: typeof value["answer_count"] === "number" ? value["answer_count"] : 0,
      vote: voted === null ? null : { agent: voted, label: textIn(votes, "label") ?? "", reason: textIn(votes, "reason") ?? "" },
    };
  });
}

/** `names` says which folder is whose; without it the folder's own name does. */
async function workspacesIn(folder: string, names: unknown): Promise<ReadonlyMap<AgentId, string>> {
  const known = isMap(names) ? Object.entries(names) : [];
  const entries = await readdir(folder);
  return new Map(entries.map((entry) => [known.find(([, name]) => name === entry)?.[0] ?? entry, join(folder, entry)]));
}

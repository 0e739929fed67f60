import { constants } from "node:fs";
import { appendFile, cp, mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { type AgentId, type EpochMillis, MassgenError } from "@massgen/contracts";
import { oneLine, preview } from "@massgen/views";
import { replaceFile } from "../files/replace-file.js";
import { isoTime, type ZoneOffset } from "../local-time.js";
import type { Redactor } from "../redact/redactor.js";
import { bestPartial, type PartialAnswer, type TurnEnd } from "./turn-end.js";
import type { SessionOrigin } from "./turn-record.js";

export interface TurnStart {
  readonly task: string;
  readonly startedAt: EpochMillis;
  /** Absolute folder of its log; `null` when it keeps none. */
  readonly logDirectory: string | null;
  readonly origin: SessionOrigin;
}

/** Files that a turn leaves, where they are now. */
export interface TurnFiles {
  /** Folder with what came with the answer. */
  readonly workspace?: string | null;
  /** Of a turn that was cut off: copies what each agent's folder holds to a folder. */
  readonly workspaces?: ReadonlyMap<AgentId, (folder: string) => Promise<unknown>>;
}

export interface TurnToWrite {
  readonly sessionId: string;
  readonly turn: number;
  /** Folder of the turn; it is there. */
  readonly folder: string;
  readonly start: TurnStart;
  readonly end: TurnEnd;
  readonly files: TurnFiles;
  readonly redactor: Redactor;
  readonly zone: ZoneOffset;
}

export const STARTED = "started.json";

/** That a turn began, and where its log is: what it came to can be had from there if nobody lives to write it. */
export const writeStart = (folder: string, start: TurnStart, redactor: Redactor): Promise<void> =>
  replaceFile(join(folder, STARTED), json(redactor.value(startJson(start))), true);

/**
 * Writes what came of a turn. The last file is `metadata.json`: a turn that has it is whole.
 *
 * @throws MassgenError `STORE_FAILED` naming the folder, when the disk does not take it
 */
export async function writeTurn(turn: TurnToWrite): Promise<void> {
  try {
    await writeFiles(turn);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MassgenError("STORE_FAILED", `Turn ${turn.turn} of ${turn.sessionId} could not be saved to ${turn.folder}: ${why}.`, {
      cause,
      hint: "The answer stands in the log; a conversation that goes on will not know of this turn.",
    });
  }
  await rm(join(turn.folder, STARTED), { force: true });
}

async function writeFiles({ folder, end, files, redactor, ...turn }: TurnToWrite): Promise<void> {
  const answer = answerText(end);
  if (answer !== null) await replaceFile(join(folder, "answer.txt"), redactor.text(answer), true);
  if (end.status === "incomplete" && end.partial.length > 0)
    await replaceFile(join(folder, "partial_answers.json"), json(redactor.value(partialJson(end.partial))), true);
  if (files.workspace != null) await copyFolder(files.workspace, join(folder, "workspace"));
  const names = end.status === "complete" ? {} : await copyWorkspaces(end, files, join(folder, "workspaces"));
  const metadata = {
    turn: turn.turn,
    timestamp: isoTime(turn.start.startedAt, turn.zone),
    winning_agent: end.winner,
    task: turn.start.task,
    session_id: turn.sessionId,
    status: end.status,
    finish_reason: end.finishReason,
    ...(end.status === "complete" ? {} : { phase: end.phase, voting_complete: end.votingComplete }),
    ...(Object.keys(names).length === 0 ? {} : { workspaces: names }),
    ...originJson(turn.start),
  };
  await replaceFile(join(folder, "metadata.json"), json(redactor.value(metadata)), true);
}

/** What is read when nobody looks at the other files. */
function answerText(end: TurnEnd): string | null {
  if (end.status === "complete") return end.answer;
  const best = bestPartial(end);
  return best === null
    ? null
    : `[Incomplete: this turn was cut off (${end.phase}). The best answer that was there, by ${best.agent}:]\n\n${best.answer}`;
}

/** Adds a turn to what people read of a session, and to who won which turn. Neither is read back to go on. */
export async function writeSummaries(session: string, { turn, start, end, redactor, zone }: TurnToWrite): Promise<void> {
  const winner = end.winner === null ? "" : ` · ${end.winner}`;
  const block = [
    `Turn ${turn} · ${isoTime(start.startedAt, zone)} · ${end.status}${winner}`,
    `Question: ${oneLine(start.task)}`,
    `Answer: ${preview(answerText(end) ?? "none", 500)}`,
  ];
  await appendFile(join(session, "SESSION_SUMMARY.txt"), `${redactor.text(block.join("\n"))}\n\n`);
  if (end.status !== "complete" || end.winner === null) return;
  const file = join(session, "winning_agents_history.json");
  const earlier: unknown = JSON.parse(await readFile(file, "utf8").catch(() => "[]"));
  await replaceFile(file, json([...(Array.isArray(earlier) ? earlier : []), { agent_id: end.winner, turn }]), true);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const startJson = (start: TurnStart): object => ({ task: start.task, started_at: start.startedAt / 1000, ...originJson(start) });

const originJson = ({ logDirectory, origin }: TurnStart): object => ({
  log_dir: logDirectory,
  log_root: origin.logRoot,
  config_path: origin.configPath,
  model: origin.model,
});

const partialJson = (partial: readonly PartialAnswer[]): object =>
  Object.fromEntries(
    partial.map(({ agent, anon, answer, answerCount, vote }) => [
      agent,
      {
        answer,
        has_voted: vote !== null,
        votes: vote === null ? {} : { agent_id: vote.agent, label: vote.label, reason: vote.reason },
        answer_count: answerCount,
        anon_id: anon,
      },
    ]),
  );

/**
 * The folders of a turn that was cut off, by agent. They bear the names by which agents know each other, as they are read by
 * all of them; one without a file is left out.
 */
async function copyWorkspaces(
  { partial }: Extract<TurnEnd, { status: "incomplete" }>,
  { workspaces = new Map<AgentId, (folder: string) => Promise<unknown>>() }: TurnFiles,
  to: string,
): Promise<Readonly<Record<AgentId, string>>> {
  const kept: Record<AgentId, string> = {};
  for (const { agent, anon } of partial) {
    const copy = workspaces.get(agent);
    if (copy === undefined) continue;
    await mkdir(join(to, anon), { recursive: true });
    await copy(join(to, anon));
    if ((await readdir(join(to, anon))).length > 0) kept[agent] = anon;
    else await rmdir(join(to, anon));
  }
  if (Object.keys(kept).length === 0) await rm(to, { recursive: true, force: true });
  return kept;
}

/** Links stay links. Where the disk can share blocks between files, it does. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}

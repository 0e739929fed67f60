import type { AgentId } from "@massgen/contracts";
import type { FinishReason } from "@massgen/views";
import { bestPartial, type PartialAnswer, type TurnEnd } from "./turn-end.js";

/** A turn of a conversation as its folder tells it. */
export interface SessionTurn {
  readonly turn: number;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly task: string;
  readonly status: "complete" | "incomplete";
  readonly finishReason: FinishReason | null;
  readonly winner: AgentId | null;
  /** The final answer; of an incomplete turn the best that was there, under a line that says so. `null`: there was none. */
  readonly answer: string | null;
  /** What the run was about when it was cut off: a phase of the run; `null` for a complete turn. */
  readonly phase: string | null;
  /** What each agent had, in the order of the config; empty for a complete turn. */
  readonly partial: readonly PartialAnswer[];
  /** Absolute: the files that came with the answer; `null` without any. */
  readonly workspace: string | null;
  /** Absolute, of an incomplete turn: what each agent's folder held. */
  readonly workspaces: ReadonlyMap<AgentId, string>;
  /** Absolute folder of its log; `null` when it kept none. */
  readonly logDirectory: string | null;
}

/** A turn that is kept nowhere but in memory. `workspace`: where the files of its result stand. */
export function turnInMemory(
  end: TurnEnd,
  { turn, task, timestamp, workspace, logDirectory }: Pick<SessionTurn, "turn" | "task" | "timestamp" | "workspace" | "logDirectory">,
): SessionTurn {
  const common = {
    turn,
    task,
    timestamp,
    workspace,
    logDirectory,
    workspaces: new Map(),
    finishReason: end.finishReason,
    winner: end.winner,
  };
  return end.status === "complete"
    ? { ...common, status: "complete", answer: end.answer, phase: null, partial: [] }
    : { ...common, status: "incomplete", answer: bestPartial(end)?.answer ?? null, phase: end.phase, partial: end.partial };
}

/** Said of every turn of a session, so that the list of sessions can be made again from any of them. */
export interface SessionOrigin {
  readonly configPath: string | null;
  readonly model: string | null;
  /** Absolute: the folder that the logs of all turns are in. */
  readonly logRoot: string | null;
}

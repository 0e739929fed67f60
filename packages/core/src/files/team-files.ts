import type { AgentId, AnswerLabel, Delta, SnapshotRef, ViewName, WorkspaceProvider } from "@massgen/contracts";
import { agentOf, answerAt, type RunState } from "@massgen/kernel";
import type { Agent } from "../coordinator/options.js";

/** The folders of a run's agents, as their conversations use them. Without a provider nobody has files and nothing happens. */
export interface TeamFiles {
  /**
   * Before a conversation begins: an answered agent, and everybody in a new attempt, starts from an empty folder, and sees the
   * files of the answers it is shown and of what the attempt before had presented.
   */
  prepare(state: RunState, viewer: AgentId, shown: readonly AnswerLabel[], emit: Emit): Promise<void>;
  /** Before answers are put into a running conversation, so that what is named can be read. */
  refresh(state: RunState, viewer: AgentId, shown: readonly AnswerLabel[], emit: Emit): Promise<void>;
  /** Freezes what the agent has made, as the files of the answer it is about to give; `null` without files. */
  publish(agent: AgentId, emit: Emit): Promise<SnapshotRef | null>;
  /** Gives the presenter the files of the answer that won. Rejects when that cannot be done: other files must not be presented. */
  restore(state: RunState, presenter: AgentId, label: AnswerLabel): Promise<void>;
  /** A text of `author` as `viewer` can follow its paths. */
  textFor(viewer: AgentId, author: AgentId, text: string): string;
}

type Emit = (delta: Delta) => void;

interface FileOptions {
  /** Those with `files` have a folder. */
  readonly agents: readonly Pick<Agent, "id" | "files">[];
  readonly workspaces?: WorkspaceProvider;
  readonly pathsFor?: TeamFiles["textFor"];
  /** `keep`: an agent's folder outlives its own answers. */
  readonly workspaceBetweenRounds?: "clear" | "keep";
}

export function openTeamFiles({
  agents,
  workspaces: provider,
  pathsFor,
  workspaceBetweenRounds: between = "clear",
}: FileOptions): TeamFiles {
  const textFor = pathsFor ?? noFiles.textFor;
  const owners = new Set(agents.flatMap(({ id, files }) => (files === undefined ? [] : [id])));
  if (provider === undefined) return { ...noFiles, textFor };
  /** Version an agent published last: once that became an answer, the next round starts empty. */
  const published = new Map<AgentId, string>();
  /** The attempt of each agent's last conversation. */
  const attempts = new Map<AgentId, number>();
  /** What a viewer's copies show, so that nothing is copied twice. */
  const views = new Map<AgentId, string>();

  async function refresh(state: RunState, viewer: AgentId, shown: readonly AnswerLabel[], emit: Emit): Promise<void> {
    if (!owners.has(viewer)) return;
    const answers = shown.flatMap((label) => {
      const answer = answerAt(state, label);
      return answer?.snapshot == null ? [] : [[state.agents[answer.by]!.card.anon, answer.snapshot] as const];
    });
    const past = state.pastAttempt?.snapshot ?? null;
    const copies: readonly (readonly [ViewName, SnapshotRef])[] = past === null ? answers : [...answers, ["previous_attempt", past]];
    const content = JSON.stringify(copies);
    if (views.get(viewer) === content) return;
    await orWarn("The files of the other answers could not be shown", viewer, emit, async () => {
      await provider!.refreshView(viewer, new Map(copies));
      views.set(viewer, content);
    });
  }

  return {
    refresh,
    async prepare(state, viewer, shown, emit) {
      const isNewAttempt = (attempts.get(viewer) ?? 1) < state.attempt;
      attempts.set(viewer, state.attempt);
      const version = published.get(viewer);
      const isAnswered = version !== undefined && state.answers.some(({ by, snapshot }) => by === viewer && snapshot?.version === version);
      // What was presented is shown beside the answers; who works alone has no such place and keeps its files.
      const startsOver = isNewAttempt && owners.has(viewer) && state.order.length > 1;
      if (between === "clear" && (isAnswered || startsOver) && agentOf(state, viewer) !== undefined) {
        await orWarn("The workspace could not be cleared", viewer, emit, async () => (await provider.open(viewer)).clear());
        published.delete(viewer);
      }
      await refresh(state, viewer, shown, emit);
    },
    async publish(agent, emit) {
      if (!owners.has(agent)) return null;
      let snapshot: SnapshotRef | null = null;
      await orWarn("The files of this answer could not be published, and are not part of it", agent, emit, async () => {
        snapshot = await (await provider.open(agent)).publish();
        published.set(agent, snapshot.version);
      });
      return snapshot;
    },
    async restore(state, presenter, label) {
      const snapshot = answerAt(state, label)?.snapshot ?? null;
      if (snapshot !== null && owners.has(presenter)) await (await provider.open(presenter)).restore(snapshot);
    },
    textFor,
  };
}

const noFiles: TeamFiles = {
  prepare: () => Promise.resolve(),
  refresh: () => Promise.resolve(),
  publish: () => Promise.resolve(null),
  restore: () => Promise.resolve(),
  textFor: (_viewer, _author, text) => text,
};

/** A disk that fails costs files, never a round that was paid for. */
async function orWarn(what: string, agent: AgentId, emit: Emit, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    emit({ type: "notice", level: "warning", agent, message: `${what}: ${error instanceof Error ? error.message : String(error)}` });
  }
}

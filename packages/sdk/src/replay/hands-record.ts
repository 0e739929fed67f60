import type {
  AgentId,
  Clock,
  MonotonicMillis,
  SnapshotRef,
  ToolOutput,
  Verification,
  Workspace,
  WorkspaceProvider,
} from "@massgen/contracts";
import type { OnServedCall, Verify } from "@massgen/core";

interface Timed {
  readonly agent_id: AgentId;
  /** Milliseconds since the run began to record. */
  readonly started_ms: number;
  readonly ended_ms: number;
}

/** A call of an agent's tool, as its model got the result: run, refused or cut off. */
export interface RecordedTool extends Timed {
  readonly kind: "tool";
  readonly call_id: string;
  readonly tool: string;
  /** Nobody refused it. */
  readonly passed: boolean;
  readonly output: ToolOutput;
  readonly injected: readonly string[];
}

/** A version made of an agent's folder, or put into it. */
export interface RecordedFiles extends Timed {
  readonly kind: "files";
  readonly did: "publish" | "restore";
  readonly snapshot: SnapshotRef | null;
  /** Why it could not be done; else `null`. */
  readonly error: string | null;
}

/** What the user's check said of an answer. */
export interface RecordedCheck extends Timed {
  readonly kind: "check";
  readonly verification: Verification | null;
  readonly error: string | null;
}

export type RecordedHands = RecordedTool | RecordedFiles | RecordedCheck;

export interface HandsRecorder {
  readonly clock: Clock;
  readonly since: MonotonicMillis;
  record(line: RecordedHands): Promise<void>;
}

/** What a check printed is kept as far as anybody reads it. */
const SUMMARY_CHARS = 4_000;

export const recordTools =
  ({ since, record }: HandsRecorder): OnServedCall =>
  (agent, { callId, tool }, { isPassed, output, injected }, startedAt, endedAt) =>
    record({
      kind: "tool",
      agent_id: agent,
      call_id: callId,
      tool,
      started_ms: startedAt - since,
      ended_ms: endedAt - since,
      passed: isPassed,
      output,
      injected,
    });

/** The same folders; which versions came of them is recorded. */
export function recordingWorkspaces(workspaces: WorkspaceProvider, recorder: HandsRecorder): WorkspaceProvider {
  async function recorded<T extends SnapshotRef | null>(agent: AgentId, did: RecordedFiles["did"], act: () => Promise<T>): Promise<T> {
    const startedAt = recorder.clock.monotonic();
    const note = (snapshot: SnapshotRef | null, error: string | null): Promise<void> =>
      recorder.record({ kind: "files", agent_id: agent, did, ...spanOf(recorder, startedAt), snapshot, error });
    try {
      const snapshot = await act();
      await note(snapshot, null);
      return snapshot;
    } catch (error) {
      await note(null, textOf(error));
      throw error;
    }
  }
  return {
    async open(agent): Promise<Workspace> {
      const workspace = await workspaces.open(agent);
      return {
        agent,
        root: workspace.root,
        clear: () => workspace.clear(),
        publish: () => recorded(agent, "publish", () => workspace.publish()),
        async restore(snapshot) {
          await recorded(agent, "restore", () => workspace.restore(snapshot).then(() => null));
        },
      };
    },
    refreshView: (viewer, shown) => workspaces.refreshView(viewer, shown),
    close: () => workspaces.close(),
  };
}

export const recordingVerify =
  (verify: Verify, recorder: HandsRecorder): Verify =>
  async (candidate, signal) => {
    const startedAt = recorder.clock.monotonic();
    const note = (verification: Verification | null, error: string | null): Promise<void> =>
      recorder.record({ kind: "check", agent_id: candidate.agent, ...spanOf(recorder, startedAt), verification, error });
    try {
      const verification = await verify(candidate, signal);
      await note({ ...verification, summary: verification.summary.slice(-SUMMARY_CHARS) }, null);
      return verification;
    } catch (error) {
      await note(null, textOf(error));
      throw error;
    }
  };

const spanOf = ({ clock, since }: HandsRecorder, startedAt: MonotonicMillis): Pick<Timed, "started_ms" | "ended_ms"> => ({
  started_ms: startedAt - since,
  ended_ms: clock.monotonic() - since,
});

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

import type { AgentId, Clock, MonotonicMillis, ToolHandler, WorkspaceProvider } from "@massgen/contracts";
import type { CoordinateOptions, RecallCall, Verify } from "@massgen/core";
import type { RecordedStart } from "./call-record.js";
import type { RecordedCheck, RecordedFiles, RecordedHands, RecordedTool } from "./hands-record.js";

/** Tools, files and checks as they were: nothing runs, nothing is written, and what came of it comes when it came. */
export function replayedHands(
  start: RecordedStart,
  lines: readonly RecordedHands[],
  clock: Clock,
  zeroMs: number,
): Pick<CoordinateOptions, "recallCall" | "workspaces" | "verify"> {
  const waiting = lines.toSorted((a, b) => a.started_ms - b.started_ms);
  /** The next line that fits, which is used up by it. */
  function take<L extends RecordedHands>(fits: (line: RecordedHands) => line is L): L | null {
    const place = waiting.findIndex(fits);
    return place < 0 ? null : (waiting.splice(place, 1)[0] as L);
  }
  const until = (line: RecordedHands, signal: AbortSignal): Promise<void> => reached(clock, line.ended_ms - zeroMs, signal);

  const recallCall: RecallCall = (agent, { callId, tool }) => {
    const line = take(
      (one): one is RecordedTool => one.kind === "tool" && one.agent_id === agent && one.call_id === callId && one.tool === tool,
    );
    return {
      isPassed: line?.passed ?? false,
      async end(signal) {
        if (line === null) await aborted(signal);
        else await until(line, signal);
        return line ?? { output: { parts: [{ type: "text", text: `${tool} was cancelled.` }], isError: true }, injected: [] };
      },
    };
  };
  const verify: Verify = async ({ agent }, signal) => {
    const line = take((one): one is RecordedCheck => one.kind === "check" && one.agent_id === agent);
    if (line === null) await aborted(signal);
    else await until(line, signal);
    if (line?.verification == null) throw new Error(line?.error ?? "The check was cut off.");
    return line.verification;
  };
  const hasFiles = start.agents.some(({ files }) => files != null);
  return {
    recallCall,
    ...(hasFiles ? { workspaces: replayedWorkspaces(start, take, until) } : {}),
    ...(lines.some(({ kind }) => kind === "check") ? { verify } : {}),
  };
}

/** Folders that are not there: their versions have the names they had. */
function replayedWorkspaces(
  { agents }: RecordedStart,
  take: (fits: (line: RecordedHands) => line is RecordedFiles) => RecordedFiles | null,
  until: (line: RecordedHands, signal: AbortSignal) => Promise<void>,
): WorkspaceProvider {
  const never = new AbortController().signal;
  async function known(agent: AgentId, did: RecordedFiles["did"]): Promise<RecordedFiles> {
    const line = take((one): one is RecordedFiles => one.kind === "files" && one.did === did && one.agent_id === agent);
    if (line === null) return await new Promise<never>(() => {});
    await until(line, never);
    if (line.error !== null) throw new Error(line.error);
    return line;
  }
  return {
    open: (agent) =>
      Promise.resolve({
        agent,
        root: agents.find(({ id }) => id === agent)?.files?.workspace ?? "",
        clear: () => Promise.resolve(),
        async publish() {
          const { snapshot } = await known(agent, "publish");
          return snapshot ?? { agent, version: "" };
        },
        async restore() {
          await known(agent, "restore");
        },
      }),
    refreshView: () => Promise.resolve({ path: "" }),
    close: () => Promise.resolve(),
  };
}

/** A tool as its definition; what its calls came to is on record. */
export const replayedTool = ({ spec, risk, origin }: NonNullable<RecordedStart["agents"][number]["tools"]>[number]): ToolHandler => ({
  spec,
  risk,
  origin,
  timeoutMs: null,
  effects: () => [],
  run: () => Promise.reject(new Error("No tool runs when a recorded run is run again.")),
});

/** Returns at once when the signal aborts. */
const reached = (clock: Clock, at: MonotonicMillis, signal: AbortSignal): Promise<void> => clock.sleepUntil(at, signal).catch(() => {});

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

import type { RunId } from "@massgen/contracts";
import { type Agent, type CoordinateOptions, systemAmbient } from "@massgen/core";
import type { RunLog } from "@massgen/logs";
import { type RecordedSettings, type RecordedStart, recordingBackend } from "./call-record.js";
import { recordingVerify, recordingWorkspaces, recordTools } from "./hands-record.js";
import { definitionOf, recordingNewTools } from "./record-new-tools.js";

/** What a run is made of that is not deterministic: its models, and what its agents do. */
export type Outside = Pick<CoordinateOptions, "agents" | "workspaces" | "verify">;

/** The same, with every call of a model and of a tool, every version of files and every check in `llm_calls.jsonl`. */
export function recordCalls(
  log: RunLog,
  runId: RunId,
  settings: RecordedSettings,
  { agents, workspaces, verify }: Outside,
): Outside & Pick<CoordinateOptions, "onServedCall"> {
  const { clock } = systemAmbient();
  const timeZone = settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const start: RecordedStart = {
    kind: "run",
    version: 1,
    run_id: runId,
    last_seq: log.lastSeq,
    settings: { ...settings, timeZone },
    agents: agents.map(recordedAgent),
  };
  void log.recordCall(start);
  const recorder = { clock, since: clock.monotonic(), record: (line: object) => log.recordCall(line) };
  return {
    agents: agents.map((agent) => ({
      ...recordingNewTools(agent, (line) => void log.recordCall(line)),
      backend: recordingBackend(agent.id, agent.backend, recorder),
    })),
    ...(workspaces === undefined ? {} : { workspaces: recordingWorkspaces(workspaces, recorder) }),
    ...(verify === undefined ? {} : { verify: recordingVerify(verify, recorder) }),
    onServedCall: recordTools(recorder),
  };
}

const recordedAgent = (agent: Agent): RecordedStart["agents"][number] => ({
  id: agent.id,
  backend: agent.backend.id,
  model: agent.backend.model,
  capabilities: agent.backend.capabilities,
  instructions: agent.instructions ?? null,
  voting_sensitivity: agent.votingSensitivity ?? null,
  max_output_tokens: agent.maxOutputTokens ?? null,
  subtask: agent.subtask ?? null,
  tools: [...(agent.tools ?? []), ...(agent.changingTools?.() ?? [])].map(definitionOf),
  files: agent.files ?? null,
  workspace_paths: agent.workspacePaths ?? [],
  tools_at_once: agent.toolsAtOnce ?? null,
});

import type { RunId } from "@massgen/contracts";
import { type Agent, systemAmbient } from "@massgen/core";
import type { RunLog } from "@massgen/logs";
import { type RecordedSettings, type RecordedStart, recordingBackend } from "./call-record.js";

/** The same agents, with every call of their models in `llm_calls.jsonl`. */
export function recordCalls(log: RunLog, runId: RunId, settings: RecordedSettings, agents: readonly Agent[]): readonly Agent[] {
  const { clock } = systemAmbient();
  const timeZone = settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const start: RecordedStart = {
    kind: "run",
    version: 1,
    run_id: runId,
    settings: { ...settings, timeZone },
    agents: agents.map(({ id, backend, instructions, votingSensitivity, maxOutputTokens, subtask }) => ({
      id,
      backend: backend.id,
      model: backend.model,
      capabilities: backend.capabilities,
      instructions: instructions ?? null,
      voting_sensitivity: votingSensitivity ?? null,
      max_output_tokens: maxOutputTokens ?? null,
      subtask: subtask ?? null,
    })),
  };
  log.recordCall(start);
  const since = clock.monotonic();
  return agents.map((agent) => ({
    ...agent,
    backend: recordingBackend(agent.id, agent.backend, { clock, since, record: (call) => log.recordCall(call) }),
  }));
}

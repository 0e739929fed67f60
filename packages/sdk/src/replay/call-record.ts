import type {
  AgentId,
  BackendAdapter,
  BackendCapabilities,
  BackendEvent,
  Clock,
  MonotonicMillis,
  ToolHandler,
  TurnRequest,
  Usage,
} from "@massgen/contracts";
import type { AgentFiles, CoordinateOptions } from "@massgen/core";

/** What the engine was told besides the agents, as it is written: no functions, nothing of this process. */
export type RecordedSettings = Omit<
  CoordinateOptions,
  | "agents"
  | "store"
  | "executor"
  | "ambient"
  | "runId"
  | "signal"
  | "prompts"
  | "order"
  | "onTranscript"
  | "workspaces"
  | "pathsFor"
  | "permissions"
  | "hooks"
  | "verify"
  | "redact"
  | "onServedCall"
  | "recallCall"
>;

/**
 * What a process writes before its calls: everything it takes to run the engine again besides them. A run that was resumed has
 * one for each process that had it.
 */
export interface RecordedStart {
  readonly kind: "run";
  readonly version: 1;
  readonly run_id: string;
  /** Number of the last record that was there when this process took the run; absent in older records. */
  readonly last_seq?: number;
  readonly settings: RecordedSettings;
  readonly agents: readonly {
    readonly id: AgentId;
    readonly backend: string;
    readonly model: string;
    readonly capabilities: BackendCapabilities;
    readonly instructions: string | null;
    readonly voting_sensitivity: "lenient" | "balanced" | "strict" | null;
    readonly max_output_tokens: number | null;
    readonly subtask: string | null;
    /** Absent in records that know nothing of tools and files. */
    readonly tools?: readonly (Pick<ToolHandler, "spec" | "risk"> & { readonly origin: NonNullable<ToolHandler["origin"]> })[];
    readonly files?: AgentFiles | null;
    readonly workspace_paths?: readonly string[];
    readonly tools_at_once?: number | null;
  }[];
}

/** One request and its response. Calls of one agent follow each other; `index` counts them from 0. */
export interface RecordedCall {
  readonly kind: "call";
  readonly agent_id: AgentId;
  readonly index: number;
  /** Milliseconds since the run began to record. */
  readonly started_ms: number;
  /** SHA-256 of `request` as it stands here. */
  readonly request_hash: string;
  readonly request: unknown;
  /** Milliseconds since `started_ms`, and what came. */
  readonly events: readonly (readonly [number, BackendEvent])[];
  readonly usage: Usage | null;
}

export interface CallRecorder {
  /** Adds the hash of the request as it is written, secrets removed. Resolves when the line outlives this process. */
  record(call: Omit<RecordedCall, "request_hash">): Promise<void>;
  readonly clock: Clock;
  readonly since: MonotonicMillis;
}

/**
 * The same backend; what passes through it is recorded when the response ends, or is left. The end is handed on only when
 * it is on record, so that no fact is without the call that it came from, whenever the process dies.
 */
export function recordingBackend(agent: AgentId, backend: BackendAdapter, { record, clock, since }: CallRecorder): BackendAdapter {
  let calls = 0;
  return {
    specVersion: backend.specVersion,
    id: backend.id,
    model: backend.model,
    capabilities: backend.capabilities,
    dispose: () => backend.dispose(),
    async *stream(request, signal) {
      const index = calls++;
      const startedAt = clock.monotonic();
      const events: (readonly [number, BackendEvent])[] = [];
      let usage: Usage | null = null;
      let isRecorded = false;
      const note = (): Promise<void> => {
        isRecorded = true;
        return record({
          kind: "call",
          agent_id: agent,
          index,
          started_ms: startedAt - since,
          request: plainRequest(request),
          events,
          usage,
        });
      };
      try {
        for await (const event of backend.stream(request, signal)) {
          events.push([clock.monotonic() - startedAt, event]);
          if (event.type === "turn_end") usage = event.usage;
          if (event.type === "turn_end" || event.type === "turn_failed") await note();
          yield event;
        }
      } finally {
        if (!isRecorded) await note();
      }
    },
  };
}

const plainRequest = ({ messages, tools, toolChoice, maxOutputTokens, options }: TurnRequest): unknown => ({
  messages,
  tools,
  tool_choice: toolChoice,
  max_output_tokens: maxOutputTokens,
  options,
});

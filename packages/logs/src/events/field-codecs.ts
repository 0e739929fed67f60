import type {
  AgentId,
  AnswerLabel,
  BudgetLimits,
  ClientToolCall,
  HumanRequest,
  JsonValue,
  PresentationStrategy,
  SnapshotRef,
  Usage,
  Verification,
} from "@massgen/contracts";

/** How a field whose keys are camelCase is written; names on disk are snake_case throughout. */
export interface Codec<T> {
  readonly name: string;
  /** `undefined` leaves the key out: fields of later versions do not change the lines of runs that do not use them. */
  write(value: T): JsonValue | undefined;
  /** `value` was written by `write`, perhaps by an older version. */
  read(value: JsonValue): T;
}

type Json = { readonly [key: string]: JsonValue };
const object = (value: JsonValue): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
const number = (value: JsonValue | undefined): number => (typeof value === "number" ? value : 0);
const text = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

export const usageCodec: Codec<Usage> = {
  name: "usage",
  write: (usage) => ({
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_input_tokens: usage.cachedTokens,
    reasoning_tokens: usage.reasoningTokens,
    estimated_cost: usage.costUsd,
    ...(usage.estimated === undefined ? {} : { estimated: usage.estimated }),
  }),
  read: (value) => {
    const usage = object(value);
    const cost = usage["estimated_cost"];
    const estimated = usage["estimated"];
    return {
      inputTokens: number(usage["input_tokens"]),
      outputTokens: number(usage["output_tokens"]),
      cachedTokens: number(usage["cached_input_tokens"]),
      reasoningTokens: number(usage["reasoning_tokens"]),
      costUsd: typeof cost === "number" ? cost : null,
      ...(typeof estimated === "boolean" ? { estimated } : {}),
    };
  },
};

export const budgetLimitsCodec: Codec<BudgetLimits> = {
  name: "limits",
  write: (limits) => ({
    max_total_tokens: limits.maxTotalTokens,
    max_total_cost_usd: limits.maxTotalCostUsd,
    max_llm_calls: limits.maxLlmCalls,
    max_agent_tokens: limits.maxAgentTokens,
    max_agent_cost_usd: limits.maxAgentCostUsd,
    max_round_cost_usd: limits.maxRoundCostUsd,
    warn_at: limits.warnAt,
    reserve_for_final: limits.reserveForFinal,
  }),
  read: (value) => {
    const limits = object(value);
    const orNull = (key: string): number | null => (typeof limits[key] === "number" ? limits[key] : null);
    return {
      maxTotalTokens: orNull("max_total_tokens"),
      maxTotalCostUsd: orNull("max_total_cost_usd"),
      maxLlmCalls: orNull("max_llm_calls"),
      maxAgentTokens: orNull("max_agent_tokens"),
      maxAgentCostUsd: orNull("max_agent_cost_usd"),
      maxRoundCostUsd: orNull("max_round_cost_usd"),
      warnAt: number(limits["warn_at"]),
      reserveForFinal: number(limits["reserve_for_final"]),
    };
  },
};

export const requestCodec: Codec<HumanRequest> = {
  name: "request",
  write: ({ id, kind, agent, prompt, choices, deadlineMs, onDeadline }) => ({
    id,
    kind,
    agent,
    prompt,
    choices,
    deadline_ms: deadlineMs,
    on_deadline: onDeadline,
  }),
  read: (value) => {
    const request = object(value);
    const deadline = request["deadline_ms"];
    const { id, kind, agent, prompt, choices } = request;
    return {
      id: text(id),
      // What `write` wrote is one of the kinds; a kind of a newer version is passed on as it is.
      kind: text(kind) as HumanRequest["kind"],
      agent: typeof agent === "string" ? agent : null,
      prompt: text(prompt),
      choices: Array.isArray(choices) ? choices.map((choice: JsonValue) => text(choice)) : null,
      deadlineMs: typeof deadline === "number" ? deadline : null,
      onDeadline: request["on_deadline"] ?? null,
    };
  },
};

export const clientCallsCodec: Codec<readonly ClientToolCall[]> = {
  name: "calls",
  write: (calls) => calls.map(({ callId, tool, input }) => ({ call_id: callId, name: tool, input })),
  read: (value) =>
    (Array.isArray(value) ? value : []).map((one: JsonValue) => {
      const call = object(one);
      return { callId: text(call["call_id"]), tool: text(call["name"]), input: call["input"] ?? null };
    }),
};

export const snapshotCodec: Codec<SnapshotRef | null> = {
  name: "snapshot",
  write: (snapshot) => (snapshot === null ? null : { agent: snapshot.agent, version: snapshot.version }),
  read: (value) => (value === null ? null : { agent: text(object(value)["agent"]), version: text(object(value)["version"]) }),
};

/** A snapshot that is written only when there is one. */
export const anySnapshotCodec: Codec<SnapshotRef | null> = {
  ...snapshotCodec,
  write: (snapshot) => (snapshot === null ? undefined : snapshotCodec.write(snapshot)),
};

/** Labels, written only when there are some. */
export const someLabelsCodec = (name: string): Codec<readonly AnswerLabel[] | undefined> => ({
  ...someCodec<AnswerLabel>(name),
  write: (labels) => (labels === undefined || labels.length === 0 ? undefined : [...labels]),
});

/** The same of texts. */
export const someTextsCodec = (name: string): Codec<readonly string[]> => someCodec(name);

const someCodec = <T extends string>(name: string): Codec<readonly T[]> => ({
  name,
  write: (entries) => (entries.length === 0 ? undefined : [...entries]),
  read: (value) => (Array.isArray(value) ? (value as T[]) : []),
});

/** Written only where answers are checked. */
export const verificationCodec: Codec<Verification | null | undefined> = {
  name: "verification",
  write: (value) =>
    value == null ? undefined : { passed: value.passed, exit_code: value.exitCode, duration_ms: value.durationMs, summary: value.summary },
  read: (value) => {
    if (value === null) return null;
    const { passed, exit_code, duration_ms, summary } = object(value);
    return {
      passed: typeof passed === "boolean" ? passed : null,
      exitCode: typeof exit_code === "number" ? exit_code : null,
      durationMs: number(duration_ms),
      summary: text(summary),
    };
  },
};

/** A flag that is written only when it is set. */
export const flagCodec = (name: string): Codec<boolean> => ({
  name,
  write: (value) => (value ? true : undefined),
  read: (value) => value === true,
});

/** A number that is written only when there is one. */
export const numberCodec = (name: string): Codec<number | null> => ({
  name,
  write: (value) => value ?? undefined,
  read: (value) => (typeof value === "number" ? value : null),
});
/** Ids are any text, so they are values in a list and not keys. */
export const subtasksCodec: Codec<Readonly<Record<AgentId, string>>> = {
  name: "subtasks",
  write: (subtasks) => Object.entries(subtasks).map(([agent, subtask]) => ({ agent, subtask })),
  read: (value) =>
    Object.fromEntries((Array.isArray(value) ? value : []).map((entry) => [text(object(entry)["agent"]), text(object(entry)["subtask"])])),
};

/** Left out for the usual one, as in logs of versions that knew no other. */
export const strategyCodec: Codec<PresentationStrategy> = {
  name: "strategy",
  write: (strategy) => (strategy === "winner_present" ? undefined : strategy),
  read: (value) => (typeof value === "string" ? (value as PresentationStrategy) : "winner_present"),
};

import type { CoordinationEvent, JsonValue, Recorded } from "@massgen/contracts";
import { describeRecord, type RunView } from "@massgen/views";
import { isoTime, type ZoneOffset } from "../local-time.js";
import { extraContext } from "./extra-context.js";
import type { Codec } from "./field-codecs.js";
import { AGENT_ID, FACT_OF_EVENT, PERSISTED_NAMES } from "./persisted-names.js";

/** One event as files carry it (docs/spec/logs.md 4.6). */
export interface PersistedEvent {
  readonly event_id: string;
  readonly seq: number;
  readonly timestamp: number;
  readonly timestamp_iso: string;
  readonly event_type: string;
  readonly legacy_type?: string;
  readonly agent_id: string | null;
  readonly details: string;
  readonly context: { readonly [key: string]: JsonValue };
}

/** A line of `events.jsonl`. `at_ms` only where seconds cannot carry the exact time. */
export interface PersistedLine extends PersistedEvent {
  readonly run_id: string;
  readonly decision: number;
  readonly closes: boolean;
  readonly at_ms?: number;
}

type AnyField = string | Codec<unknown>;
interface AnyName {
  readonly event: string;
  readonly legacy?: string;
  readonly fields: Readonly<Record<string, AnyField>>;
}

/** The table without its types: indexed by a type that is only known at run time. */
const nameOf = (type: CoordinationEvent["type"]): AnyName => PERSISTED_NAMES[type] as AnyName;

/** The event with its context; `before` and `after` are the views around the record. */
export function persistedEvent(record: Recorded, before: RunView, after: RunView, zone: ZoneOffset): PersistedEvent {
  const { event, legacy, fields } = nameOf(record.type);
  const values = record as unknown as Readonly<Record<string, unknown>>;
  const context: Record<string, JsonValue> = {
    iteration: before.iteration,
    round: roundOf(record, after),
    epoch: after.state.answers.length,
  };
  let agentId: string | null = null;
  for (const [field, name] of Object.entries(fields)) {
    const value = values[field];
    if (name === AGENT_ID) agentId = value as string | null;
    else if (typeof name === "string") context[name] = value as JsonValue;
    else context[name.name] = name.write(value);
  }
  return {
    event_id: `E${record.seq}`,
    seq: record.seq,
    timestamp: record.at / 1000,
    timestamp_iso: isoTime(record.at, zone),
    event_type: event,
    ...(legacy === undefined ? {} : { legacy_type: legacy }),
    agent_id: agentId,
    details: describeRecord(record, after) ?? "",
    context: Object.assign(context, extraContext(record, after)),
  };
}

export function persistedLine(record: Recorded, before: RunView, after: RunView, zone: ZoneOffset): PersistedLine {
  const { runId, decision, closes, at } = record;
  const exact = millisOf(at / 1000) === at ? {} : { at_ms: at };
  return { ...persistedEvent(record, before, after, zone), run_id: runId, decision, closes, ...exact };
}

const millisOf = (seconds: number): number => Math.round(seconds * 1000);

/** The round of the agent concerned, else the highest there is. */
function roundOf(record: Recorded, view: RunView): number {
  if ("round" in record) return record.round;
  const agents = Object.values(view.state.agents);
  const own = "agent" in record ? agents.find((agent) => agent.card.id === record.agent) : undefined;
  return Math.max(0, own?.round ?? Math.max(-1, ...agents.map((agent) => agent.round)));
}

/**
 * The record of a line. A fact of a newer version comes back under its name on disk with its context as fields: whoever
 * folds it passes over it, and no number is missing from the sequence. Fields that an older version did not write are `null`.
 */
export function recordOf(line: PersistedLine): Recorded {
  const { seq, run_id: runId, decision, closes, agent_id: agentId, context } = line;
  const stamp = { seq, at: line.at_ms ?? millisOf(line.timestamp), runId, decision, closes };
  const type = FACT_OF_EVENT.get(line.event_type);
  if (type === undefined) return { ...context, agent: agentId, ...stamp, type: line.event_type } as unknown as Recorded;
  const fact: Record<string, unknown> = {};
  for (const [field, name] of Object.entries(nameOf(type).fields)) {
    if (name === AGENT_ID) fact[field] = agentId;
    else if (typeof name === "string") fact[field] = context[name] ?? null;
    else fact[field] = name.read(context[name.name] ?? null);
  }
  // The table has every field of the fact, which the compiler checked where it is written.
  return { ...stamp, type, ...fact } as unknown as Recorded;
}

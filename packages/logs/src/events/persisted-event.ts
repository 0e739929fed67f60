import type { JsonValue, Recorded } from "@massgen/contracts";
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

/** A row of the table without its types: indexed by a type that is only known at run time. */
interface Row {
  readonly event: string;
  readonly legacy: string | null;
  /** The field that stands in `agent_id`, if there is one. */
  readonly agentField: string | null;
  /** A record with all its keys: a copy that is filled in is several times faster than one that grows key by key. */
  readonly blank: Readonly<Record<string, unknown>>;
  readonly fields: readonly { readonly field: string; readonly key: string; readonly codec: Codec<unknown> | null }[];
}

const STAMP = ["seq", "at", "runId", "decision", "closes", "type"];

const ROWS: ReadonlyMap<string, Row> = new Map(
  Object.entries(PERSISTED_NAMES).map(([type, name]) => {
    const entries = Object.entries(name.fields as Readonly<Record<string, string | Codec<unknown>>>);
    const fields = entries.flatMap(([field, to]) => {
      if (to === AGENT_ID) return [];
      return [typeof to === "string" ? { field, key: to, codec: null } : { field, key: to.name, codec: to }];
    });
    const agentField = entries.find(([, to]) => to === AGENT_ID)?.[0] ?? null;
    const blank = Object.fromEntries(
      [...STAMP, ...entries.map(([field]) => field)].map((field) => [field, field === "type" ? type : null]),
    );
    return [type, { event: name.event, legacy: name.legacy ?? null, agentField, blank, fields }];
  }),
);

/** The event with its context; `before` and `after` are the views around the record. */
export function persistedEvent(record: Recorded, before: RunView, after: RunView, zone: ZoneOffset): PersistedEvent {
  const row = ROWS.get(record.type);
  const values = record as unknown as Readonly<Record<string, unknown>>;
  const context: Record<string, JsonValue> = {
    iteration: before.iteration,
    round: roundOf(record, after),
    epoch: after.state.answers.length,
  };
  for (const { field, key, codec } of row?.fields ?? []) {
    const value = codec === null ? (values[field] as JsonValue) : codec.write(values[field]);
    if (value !== undefined) context[key] = value;
  }
  return {
    event_id: `E${record.seq}`,
    seq: record.seq,
    timestamp: record.at / 1000,
    timestamp_iso: isoTime(record.at, zone),
    event_type: row?.event ?? record.type,
    ...(row === undefined || row.legacy === null ? {} : { legacy_type: row.legacy }),
    agent_id: row === undefined || row.agentField === null ? null : (values[row.agentField] as string | null),
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
  const row = type === undefined ? undefined : ROWS.get(type);
  if (row === undefined) return { ...context, agent: agentId, ...stamp, type: line.event_type } as unknown as Recorded;
  const record: Record<string, unknown> = { ...row.blank };
  Object.assign(record, stamp);
  if (row.agentField !== null) record[row.agentField] = agentId;
  for (const { field, key, codec } of row.fields) {
    const value = context[key] ?? null;
    record[field] = codec === null ? value : codec.read(value);
  }
  // The table has every field of the fact, which the compiler checked where it is written.
  return record as unknown as Recorded;
}

import type { Recorded } from "@massgen/contracts";
import { type PersistedEvent, persistedEvent, systemZone } from "@massgen/logs";
import type { RunView } from "@massgen/views";

/** A record under its name in the log, with its context, as `events.jsonl` has it. */
export type LogRecord = PersistedEvent;

/** The record as the log names it; `before` and `after` are the views around it. */
export const nameRecord = (record: Recorded, before: RunView, after: RunView): LogRecord =>
  persistedEvent(record, before, after, systemZone);

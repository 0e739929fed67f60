import type { RunEvent } from "@massgen/contracts";
import { describeRecord, emptyRunView, foldRecord } from "@massgen/views";

/** `--debug` on stderr: every record with its number and name, also those that only report. */
export function tellRecords(say: (line: string) => void): (event: RunEvent) => void {
  let view = emptyRunView;
  return (event) => {
    if (!("seq" in event)) return;
    view = foldRecord(view, event);
    const { seq, at: _at, runId: _runId, decision: _decision, closes: _closes, type, ...fields } = event;
    say(`E${seq} ${type} ${describeRecord(event, view) ?? JSON.stringify(fields)}`);
  };
}

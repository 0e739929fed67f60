import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import type { Sink } from "../io.js";
import { createAutomationScreen } from "./automation-screen.js";
import { closingLine, type EventLine, formatLine, lineOf, type NamedEvent, type NameRecord } from "./event-lines.js";
import type { RunStart, Screen } from "./screen.js";

/** JSON lines on `out`, what automation prints on `err`. */
export function createEventScreen({ out, err }: { readonly out: Sink; readonly err: Sink }, nameRecord: NameRecord): Screen {
  const automation = createAutomationScreen({ out: err, err });
  let view: RunView = emptyRunView;
  let start: RunStart | null = null;
  let presented: NamedEvent | null = null;
  let lastTimestamp = 0;
  const put = (line: EventLine): void => out.write(`${formatLine(line)}\n`);
  return {
    ...automation,
    begin: (begun) => {
      start = begun;
      automation.begin(begun);
    },
    event: (event) => {
      automation.event(event);
      if (!("seq" in event)) return;
      const before = view;
      view = foldRecord(view, event);
      const named = nameRecord(event, before, view);
      lastTimestamp = named.timestamp;
      // The stream ends with the answer, so this one waits for what comes after it.
      if (event.type === "presentation_finished") presented = named;
      else put(lineOf(named, start));
    },
    fail: (message, exitCode) => {
      const data = { message, exit_code: exitCode, code: "error", log_dir: start?.logDirectory ?? null };
      put({ timestamp: lastTimestamp, event_type: "error", agent_id: null, round_number: 0, data });
    },
    end: (end) => {
      put(closingLine(end, presented, lastTimestamp));
      automation.end(end);
    },
  };
}

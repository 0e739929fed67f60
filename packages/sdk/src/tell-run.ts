import type { RunEvent } from "@massgen/contracts";
import { describeRecord, emptyRunView, foldRecord } from "@massgen/views";

/** One sentence per fact worth telling. */
export function tellRun(say: (line: string) => void): (event: RunEvent) => void {
  let view = emptyRunView;
  return (event) => {
    if (!("seq" in event)) return;
    view = foldRecord(view, event);
    const sentence = describeRecord(event, view);
    if (sentence !== null) say(sentence);
  };
}

import type { Recorded } from "@massgen/contracts";
import { emptyLiveView, foldLive, type LiveView } from "@massgen/views";

/** Facts between two kept views: as many are folded at most to show any moment. */
const KEEP_EVERY = 250;

/** The facts of a run as something that can be wound: the view after any of them, quickly. */
export interface Tape {
  readonly length: number;
  /** The view after the first `count` facts. */
  readonly at: (count: number) => LiveView;
  /** Milliseconds from the first fact to fact `count`. */
  readonly timeOf: (count: number) => number;
  /** How many facts had happened so long after the first. */
  readonly countAt: (ms: number) => number;
}

export function openTape(records: readonly Recorded[]): Tape {
  const kept: LiveView[] = [emptyLiveView];
  let last = { count: 0, view: emptyLiveView };
  const startMs = records[0]?.at ?? 0;

  const keptUpTo = (place: number): LiveView => {
    for (let next = kept.length; next <= place; next++)
      kept.push(records.slice((next - 1) * KEEP_EVERY, next * KEEP_EVERY).reduce<LiveView>(foldLive, kept[next - 1]!));
    return kept[place]!;
  };

  return {
    length: records.length,
    at(given) {
      const count = Math.max(0, Math.min(records.length, given));
      const place = Math.floor(count / KEEP_EVERY);
      // Playing goes on from where it was.
      const from = last.count <= count && last.count >= place * KEEP_EVERY ? last : { count: place * KEEP_EVERY, view: keptUpTo(place) };
      last = { count, view: records.slice(from.count, count).reduce<LiveView>(foldLive, from.view) };
      return last.view;
    },
    timeOf: (count) => (count <= 0 ? 0 : (records[Math.min(count, records.length) - 1]?.at ?? startMs) - startMs),
    countAt(ms) {
      let low = 0;
      let high = records.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (records[middle]!.at - startMs <= ms) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

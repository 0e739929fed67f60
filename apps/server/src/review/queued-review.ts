import { setTimeout as sleep } from "node:timers/promises";
import { type DecideReview, type Review, review as reviewSchema } from "@massgen/client";
import type { QueuedRun, RunQueue } from "@massgen/store-postgres";
import { checkPaths } from "./review-desk.js";
import { noReview } from "./review-of.js";

const LOOK_MS = 200;
/** How long a worker may take to say what it has found, or what came of a decision. */
const PATIENCE_MS = 10_000;

interface Setting {
  readonly queue: RunQueue;
  found(): Promise<QueuedRun>;
  /** Whether the facts of the run are complete. */
  isOver(): Promise<boolean>;
}

/** The review of a run that a worker plays, as the worker has told it. */
interface QueuedReview {
  /** `null`: there is nothing to decide. */
  open(): Promise<Review | null>;
  review(): Promise<Review>;
  decide(decision: DecideReview): Promise<boolean>;
}

export function queuedReview(id: string, { queue, found, isOver }: Setting): QueuedReview {
  const told = async (): Promise<Review | null> =>
    reviewSchema
      .nullable()
      .catch(null)
      .parse(await queue.reviews.find(id));

  async function open(): Promise<Review | null> {
    const review = await told();
    return review?.state === "open" && (await found()).endedAtMs === null ? review : null;
  }

  /** What there is once `isThere`, or when the worker has had its time. */
  async function once(isThere: (review: Review | null) => boolean): Promise<Review | null> {
    for (let waited = 0; ; waited += LOOK_MS) {
      const { endedAtMs } = await found();
      const review = await told();
      if (isThere(review) || endedAtMs !== null || waited >= PATIENCE_MS) return review;
      await sleep(LOOK_MS);
    }
  }

  return {
    open,
    async review() {
      const known = await told();
      if (known !== null) return known;
      if (!(await isOver())) return noReview("pending");
      return (await once((review) => review !== null)) ?? noReview((await found()).endedAtMs === null ? "pending" : "none");
    },
    async decide({ accept, paths }) {
      const review = await open();
      if (review === null) return false;
      checkPaths(
        paths ?? [],
        review.files.map(({ path }) => path),
      );
      const body = paths === undefined ? { accept } : { accept, paths };
      if (!(await queue.say(id, { kind: "review", body }, "review"))) return false;
      await once((now) => now?.state !== "open");
      return true;
    },
  };
}

import type { DecideReview, Review } from "@massgen/client";
import type { FinishedRun, PreparedRun } from "@massgen/sdk";
import type { ReviewDesk } from "../review/review-desk.js";
import { cleanedReview, decidedReviewOf, noReview, openReviewOf } from "../review/review-of.js";

interface Telling {
  /** `null`: nobody is to be asked. */
  readonly desk: ReviewDesk | null;
  readonly redact: PreparedRun["redact"];
  readonly put: (review: Review) => Promise<void>;
}

/** Tells through the database what a run changed, and takes the decision about it. */
export interface ReviewTelling {
  decide(decision: DecideReview): void;
  /** What came of it all. Never rejects. */
  ended(finished: FinishedRun): Promise<void>;
}

export function tellReview({ desk, redact, put }: Telling): ReviewTelling {
  /** Taken by a worker that died before it could act on it. */
  let early: DecideReview | null = null;

  void desk?.opened().then(async () => {
    const open = desk.open();
    if (open === null) return;
    // Without the database nobody sees it; it waits until its time is over.
    await put(cleanedReview(openReviewOf(open.proposed, open.untilMs), redact)).catch(() => {});
    if (early === null) return;
    try {
      desk.decide(early);
    } catch {
      // It was about other changes.
    }
  });

  return {
    decide(decision) {
      if (desk?.decide(decision) !== true) early = decision;
    },
    async ended({ changes }) {
      if (changes === null && desk === null) return;
      const review = changes === null ? noReview("none") : decidedReviewOf(changes, desk?.last() ?? null);
      await put(cleanedReview(review, redact)).catch(() => {});
    },
  };
}

import type { DecideReview, Review } from "@massgen/client";
import type { FinishedRun } from "@massgen/sdk";
import { decideLogged, loggedReview } from "./logged-review.js";
import type { ReviewDesk } from "./review-desk.js";
import { cleanedReview, decidedReviewOf, noReview, openReviewOf } from "./review-of.js";

interface Setting {
  /** `null`: nobody is to be asked. */
  readonly desk: ReviewDesk | null;
  readonly finished: Promise<FinishedRun>;
  /** Folder of the log; `null` without one. */
  readonly folder: string | null;
  readonly redact: (text: string) => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the facts of the run are complete. */
  isOver(): boolean;
}

/** What becomes of the changes of a run of this process. */
export interface LiveReview {
  /** `null`: nothing keeps the run from being called what its last fact says. */
  state(): "running" | "waiting_for_review" | null;
  review(): Promise<Review>;
  decide(decision: DecideReview): Promise<boolean>;
}

export function liveReview({ desk, finished, folder, redact, env, isOver }: Setting): LiveReview {
  /** `undefined` while it is at work; `null` when it broke. */
  let end: FinishedRun | null | undefined;
  let decidedLate = false;
  const ended = finished.then(
    (run) => {
      end = run;
    },
    () => {
      end = null;
    },
  );
  const stillWaits = (): boolean => !decidedLate && (end?.changes?.files.some(({ outcome }) => outcome === "waiting") ?? false);

  async function review(): Promise<Review> {
    const open = desk?.open() ?? null;
    if (open !== null) return cleanedReview(openReviewOf(open.proposed, open.untilMs), redact);
    if (end !== undefined) {
      if (end?.changes == null) return noReview("none");
      // What was not decided in time is decided on the disk, here or in a terminal.
      if (folder !== null && end.changes.files.some(({ outcome }) => outcome === "waiting")) return loggedReview(folder, env);
      return cleanedReview(decidedReviewOf(end.changes, desk?.last() ?? null), redact);
    }
    if (!isOver()) return noReview("pending");
    await Promise.race([ended, ...(desk === null ? [] : [desk.opened()])]);
    return review();
  }

  return {
    state() {
      if (desk === null) return null;
      if (desk.open() !== null) return "waiting_for_review";
      return end === undefined ? "running" : stillWaits() ? "waiting_for_review" : null;
    },
    review,
    async decide(decision) {
      if (desk?.decide(decision) === true) {
        await ended;
        return true;
      }
      if (folder === null || !stillWaits()) return false;
      const took = await decideLogged(folder, decision, env, new AbortController().signal);
      decidedLate ||= took && decision.accept !== "later";
      return took;
    },
  };
}

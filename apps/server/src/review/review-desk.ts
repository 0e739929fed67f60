import type { DecideReview } from "@massgen/client";
import type { ProposedChanges, ReviewChanges, ReviewDecision } from "@massgen/sdk";
import { badRequest } from "../errors.js";

/** How long changes wait for somebody at the API; what nobody decided until then stays where it is kept. */
const PATIENCE_MS = 600_000;

interface OpenReview {
  readonly proposed: ProposedChanges;
  readonly untilMs: number;
}

/** The review of a run of this process. */
export interface ReviewDesk {
  readonly reviewChanges: ReviewChanges;
  /** `null` while there is nothing to decide. */
  open(): OpenReview | null;
  /** What was put before it last. */
  last(): ProposedChanges | null;
  /** Resolves when something is open. */
  opened(): Promise<void>;
  /** Whether it was open. @throws ApiError for a path that is not among the changes */
  decide(decision: DecideReview): boolean;
}

export function createReviewDesk(patienceMs: number = PATIENCE_MS): ReviewDesk {
  let current: (OpenReview & { readonly settle: (decision: ReviewDecision) => void }) | null = null;
  let last: ProposedChanges | null = null;
  const waiting: (() => void)[] = [];
  return {
    open: () => current,
    last: () => last,
    opened: () => (current === null ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    reviewChanges: (proposed, signal) =>
      new Promise((resolve) => {
        const settle = (decision: ReviewDecision): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", withdraw);
          current = null;
          resolve(decision);
        };
        const withdraw = (): void => settle({ accept: "later" });
        const timer = setTimeout(() => settle({ accept: "later" }), patienceMs);
        timer.unref();
        signal.addEventListener("abort", withdraw, { once: true });
        current = { proposed, untilMs: Date.now() + patienceMs, settle };
        last = proposed;
        for (const tell of waiting.splice(0)) tell();
      }),
    decide(decision) {
      if (current === null) return false;
      current.settle(decisionOf(decision, current.proposed));
      return true;
    },
  };
}

/** @throws ApiError for a path that is not among the changes */
export function decisionOf({ accept, paths = [] }: DecideReview, { changes }: ProposedChanges): ReviewDecision {
  if (accept !== "some") return { accept };
  checkPaths(
    paths,
    changes.map(({ path }) => path),
  );
  return { accept, paths };
}

/** @throws ApiError for a path that is not among the changes */
export function checkPaths(paths: readonly string[], changed: readonly string[]): void {
  const known = new Set(changed);
  const stranger = paths.find((path) => !known.has(path));
  if (stranger !== undefined)
    throw badRequest(`${JSON.stringify(stranger.slice(0, 200))} is not the path of a change of this review.`, "paths", "unknown_path");
}

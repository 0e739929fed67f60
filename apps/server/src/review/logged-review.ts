import type { DecideReview, Review } from "@massgen/client";
import { environmentRedactor, finishDelivery, readDelivery, readKnownRun } from "@massgen/sdk";
import { decisionOf } from "./review-desk.js";
import { cleanedReview, decidedReviewOf, noReview, openReviewOf } from "./review-of.js";

type Env = Readonly<Record<string, string | undefined>>;

/** The review of a run that is over, as the disk has it: what nobody decided in time still waits. */
export async function loggedReview(folder: string, env: Env): Promise<Review> {
  const known = await readKnownRun(folder);
  if (!known.isFinished) return noReview("pending");
  const delivery = await readDelivery(known);
  if (delivery === null) return noReview("none");
  const review =
    delivery.state === "waiting"
      ? openReviewOf(delivery.proposed, null)
      : decidedReviewOf({ presenter: delivery.presenter, decidedBy: delivery.by, files: delivery.files }, null);
  return cleanedReview(review, environmentRedactor(env));
}

const underWay = new Set<string>();

/** Whether something waited there and this decision was the first. @throws ApiError for a path that is not among the changes */
export async function decideLogged(folder: string, decision: DecideReview, env: Env, signal: AbortSignal): Promise<boolean> {
  if (underWay.has(folder)) return false;
  underWay.add(folder);
  try {
    const known = await readKnownRun(folder);
    const delivery = await readDelivery(known);
    if (delivery?.state !== "waiting") return false;
    const decided = decisionOf(decision, delivery.proposed);
    await finishDelivery(known, { reviewChanges: async () => decided, env, signal });
    return true;
  } finally {
    underWay.delete(folder);
  }
}

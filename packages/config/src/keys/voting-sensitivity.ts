import { oneOf } from "../shapes.js";

/** How good existing answers must be before agents vote: served values, and those of later releases (docs/spec/config.md 12). */
export const votingSensitivity = oneOf(
  ["lenient", "balanced", "strict"],
  [
    "roi",
    "roi_conservative",
    "roi_balanced",
    "roi_aggressive",
    "sequential",
    "adversarial",
    "consistency",
    "diversity",
    "reflective",
    "checklist",
    "checklist_scored",
    "checklist_gated",
  ],
);

import type { Review, ChangedFile as ShownFile } from "@massgen/client";
import type { ChangedFile, ChangesReport, ProposedChanges } from "@massgen/sdk";

/** Characters of all diffs of one review; beyond that a file is named without its diff. */
const MOST_DIFF = 8_000_000;

const NOTHING: Review = { state: "none", presenter: null, decidedBy: null, openUntilMs: null, files: [] };
export const noReview = (state: "none" | "pending"): Review => ({ ...NOTHING, state });

/** Changes that wait for a decision. */
export function openReviewOf({ presenter, changes, refused, conflicts }: ProposedChanges, openUntilMs: number | null): Review {
  const inTheWay = conflicts();
  const diffs = withinLimit(changes.map(({ path, diff }) => [path, diff]));
  return {
    state: "open",
    presenter,
    decidedBy: null,
    openUntilMs,
    files: changes.map((change) => ({
      ...shown(change),
      diff: diffs.get(change.path) ?? null,
      refused: refused.has(change.path),
      conflict: inTheWay.get(change.path) ?? null,
      outcome: null,
      reason: null,
    })),
  };
}

/** What became of them; `proposed` has the diffs, where they are still known. */
export function decidedReviewOf(
  { presenter, decidedBy, files }: Pick<ChangesReport, "presenter" | "decidedBy" | "files">,
  proposed: ProposedChanges | null,
): Review {
  const diffs = withinLimit((proposed?.changes ?? []).map(({ path, diff }) => [path, diff]));
  return {
    state: "decided",
    presenter,
    decidedBy,
    openUntilMs: null,
    files: files.map((file) => ({
      ...shown(file),
      diff: diffs.get(file.path) ?? null,
      refused: file.outcome === "refused",
      conflict: file.outcome === "conflict" ? file.reason : null,
      outcome: file.outcome,
      reason: file.reason,
    })),
  };
}

function withinLimit(diffs: readonly (readonly [path: string, diff: string | null])[]): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  let left = MOST_DIFF;
  for (const [path, diff] of diffs) {
    if (diff === null || diff.length > left) continue;
    left -= diff.length;
    kept.set(path, diff);
  }
  return kept;
}

type Shown = Omit<ShownFile, "diff" | "refused" | "conflict" | "outcome" | "reason">;

const shown = (file: Omit<ChangedFile, "outcome" | "reason">): Shown => ({
  path: file.path,
  name: file.name,
  kind: file.kind,
  addedLines: file.addedLines,
  removedLines: file.removedLines,
  sizeBefore: file.sizeBefore,
  sizeAfter: file.sizeAfter,
  isBinary: file.isBinary,
  linkTo: file.linkTo,
  isProgram: file.isProgram,
  runsLater: file.runsLater,
});

/** What is a secret is taken out. */
export function cleanedReview(review: Review, redact: (text: string) => string): Review {
  const text = JSON.stringify(review);
  const clean = redact(text);
  return clean === text ? review : (JSON.parse(clean) as Review);
}

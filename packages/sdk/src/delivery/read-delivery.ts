import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KnownRun } from "../resume-run.js";
import { placeOf, recordFolder } from "./finish-delivery.js";
import type { ChangedFile, ChangesReport, ProposedChanges } from "./report.js";

/** What is on the disk of the changes of a run that is over. */
export type Delivery =
  /** Somebody was to be asked and has not decided: `finishDelivery` takes the decision. */
  | { readonly state: "waiting"; readonly proposed: ProposedChanges }
  | {
      readonly state: "decided";
      readonly presenter: string;
      readonly by: ChangesReport["decidedBy"];
      readonly files: readonly ChangedFile[];
    };

/** `null` when the run changed no files of the user's, or its program died before it could say. @throws MassgenError `STORE_FAILED` */
export async function readDelivery(known: KnownRun): Promise<Delivery | null> {
  const presented = known.records.findLast((record) => record.type === "presentation_finished");
  if (presented === undefined || !known.isFinished) return null;
  const { conflictsOfKept, readKeptChanges } = await import("@massgen/workspace");
  const kept = readKeptChanges(placeOf(known.metadata));
  const isWhole = presented.fallback === null || presented.fallback === "skipped";
  if (kept?.askFirst === true && isWhole && kept.changes.length > 0) {
    const { folder, changes, refused } = kept;
    const { agent: presenter, content: answer } = presented;
    return { state: "waiting", proposed: { presenter, answer, changes, refused, conflicts: () => conflictsOfKept(folder) } };
  }
  const text = await readFile(join(recordFolder(known, presented.agent), "delivered_changes.json"), "utf8").catch(() => null);
  return text === null ? null : decided(JSON.parse(text) as Recorded);
}

/** As `deliverChanges` writes it. */
interface Recorded {
  readonly presenter: string;
  readonly decided_by: ChangesReport["decidedBy"];
  readonly files: readonly {
    readonly path: string;
    readonly name: string;
    readonly kind: ChangedFile["kind"];
    readonly outcome: ChangedFile["outcome"];
    readonly reason: string | null;
    readonly added_lines: number;
    readonly removed_lines: number;
    readonly size_before: number | null;
    readonly size_after: number | null;
    readonly is_binary: boolean;
    readonly link_to: string | null;
    readonly is_program: boolean;
    readonly runs_later: boolean;
  }[];
}

const decided = ({ presenter, decided_by: by, files }: Recorded): Delivery => ({
  state: "decided",
  presenter,
  by,
  files: files.map((file) => ({
    path: file.path,
    name: file.name,
    kind: file.kind,
    outcome: file.outcome,
    reason: file.reason,
    addedLines: file.added_lines,
    removedLines: file.removed_lines,
    sizeBefore: file.size_before,
    sizeAfter: file.size_after,
    isBinary: file.is_binary,
    linkTo: file.link_to,
    isProgram: file.is_program,
    runsLater: file.runs_later,
  })),
});

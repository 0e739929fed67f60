import type { RunId } from "@massgen/contracts";
import type { Following } from "../follow-run.js";
import type { Hands } from "../hands/hands.js";
import type { ChangesReport, ReviewChanges } from "./report.js";

export interface SettleOptions {
  readonly hands: Pick<Hands, "changes">;
  readonly runId: RunId;
  readonly review: ReviewChanges | undefined;
  readonly signal: AbortSignal;
  readonly redact: (text: string) => string;
  /** Told what went wrong; the answer is not lost with the files. */
  readonly onProblem: (message: string) => void;
}

/** What is done about the presenter's changes at the end of a run. Never rejects. */
export const settleChanges =
  ({ hands, runId, review, signal, redact, onProblem }: SettleOptions): NonNullable<Following["settleChanges"]> =>
  async ({ presenter, answer, isPresented, folder }): Promise<ChangesReport | null> => {
    const problem = (error: unknown): string => {
      const message = `The presenter's changes could not be delivered: ${error instanceof Error ? error.message : String(error)}`;
      onProblem(message);
      return message;
    };
    const found = await hands.changes(isPresented).catch((error: unknown) => {
      problem(error);
      return null;
    });
    if (found === null) return null;
    try {
      const { deliverChanges } = await import("./deliver-changes.js");
      return await deliverChanges({ ...found, runId, presenter, answer, review, signal, recordIn: folder, redact });
    } catch (error) {
      const reason = problem(error);
      const { changes, skipped, folder: keptIn } = found.kept;
      return {
        presenter,
        decidedBy: "nobody",
        files: changes.map(({ diff: _inTheFolder, ...file }) => ({ ...file, outcome: "waiting", reason })),
        keptIn,
        recordPath: null,
        diffPath: null,
        skipped: skipped.map(({ path }) => path),
      };
    }
  };

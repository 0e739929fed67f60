import { emptyRunView, foldRecord, type RunView } from "@massgen/views";
import { decisionsIn } from "../read-run-log.js";

/**
 * What a log folder comes to, folded decision by decision, so that no more than one of them is in memory besides the view.
 *
 * @throws MassgenError `STORE_FAILED` when there is no log or it is damaged in its middle
 */
export async function readRunView(folder: string): Promise<RunView> {
  let view = emptyRunView;
  for await (const decision of decisionsIn(folder)) view = decision.reduce(foldRecord, view);
  return view;
}

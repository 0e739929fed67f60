import { evolve, initialState } from "@massgen/kernel";
import { decisionsIn } from "@massgen/logs";

/** A log folded to the state of its run, decision by decision. */
export async function foldLog(folder: string): Promise<void> {
  let state = initialState;
  for await (const decision of decisionsIn(folder)) for (const record of decision) state = evolve(state, record);
  if (state.order.length === 0) throw new Error("the log has no run");
}

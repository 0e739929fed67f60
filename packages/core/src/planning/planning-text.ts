import { isPlanning, type RunState } from "@massgen/kernel";
import type { RunContext } from "../round/run-context.js";

/** What an agent in planning mode is told; `null` outside of it. The same for all, so that prompts keep one beginning. */
export const planningText = ({ planning, ...state }: RunState, { prompts, planningInstruction }: RunContext): string | null =>
  isPlanning({ ...state, planning })
    ? prompts.planning({ reserved: planning?.verdict?.blockedTools ?? [], instruction: planningInstruction })
    : null;

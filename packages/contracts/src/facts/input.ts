import type { AgentId } from "../ids.js";

/** What a person or a program says to agents while they work (docs/spec/coordination.md 1.24). `number` counts from 1. */
export type InputFact =
  /** Said to `agents`: those of the addressed that could still hear it. `id`: of whoever sent it, so that what is sent twice counts once; `null` without one. */
  | {
      readonly type: "input_received";
      readonly number: number;
      readonly id: string | null;
      readonly text: string;
      readonly agents: readonly AgentId[];
    }
  /** Put into the agent's conversation: in mid-work, or with the prompt of the round or the presentation that begins. */
  | { readonly type: "input_delivered"; readonly agent: AgentId; readonly round: number; readonly numbers: readonly number[] };

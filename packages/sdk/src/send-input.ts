import { type AgentId, MassgenError } from "@massgen/contracts";
import type { Coordination } from "@massgen/core";

/** Characters of one input: it stands in every prompt that follows. */
const LONGEST = 50_000;

export interface SendOptions {
  /** Its id; left out: to all agents. */
  readonly agent?: AgentId;
  /** What is sent twice under one id counts once. */
  readonly id?: string;
}

/** Says something to agents at work. @throws MassgenError `USAGE` for a text that is blank or too long, and an agent there is not */
export async function sendInput(run: Coordination, team: readonly AgentId[], text: string, { agent, id }: SendOptions): Promise<boolean> {
  if (text.trim() === "") throw new MassgenError("USAGE", "What is said to the agents is empty.");
  if (text.length > LONGEST)
    throw new MassgenError("USAGE", `What is said to the agents has ${text.length} characters; at most ${LONGEST} are taken.`, {
      hint: "Name a file that holds the rest.",
    });
  if (agent !== undefined && !team.includes(agent))
    throw new MassgenError("USAGE", `There is no agent ${JSON.stringify(agent.slice(0, 100))} in this run.`, {
      hint: `Its agents are ${team.join(", ")}.`,
    });
  return (await run.send({ type: "input_received", id: id ?? null, text, agents: agent === undefined ? null : [agent] })).length > 0;
}

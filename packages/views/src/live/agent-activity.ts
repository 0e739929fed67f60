import type { AgentId } from "@massgen/contracts";
import type { Standing } from "@massgen/kernel";
import type { LiveView } from "./live-view.js";

/** What an agent does just now, more closely than its standing says. */
export type AgentActivity =
  | { readonly is: "winner" | "presenting" | "thinking" | "answering" | "voting" | "judging" | Exclude<Standing, "streaming"> }
  | { readonly is: "using_tool"; readonly tool: string };

export function agentActivity({ view, streams }: LiveView, id: AgentId): AgentActivity {
  const { decision, phase, agents } = view.state;
  if (decision?.winner === id && phase === "finished") return { is: "winner" };
  if (decision?.winner === id && (phase === "presenting" || phase === "evaluating")) return { is: "presenting" };
  const agent = agents[id];
  if (agent === undefined) return { is: "waiting" };
  if (agent.standing !== "streaming") return { is: agent.standing };
  const stream = streams.get(id);
  const last = stream?.pieces.at(-1);
  if (stream?.open?.kind === "reasoning") return { is: "thinking" };
  if (stream?.open == null && last?.kind === "tool" && last.result === null) return { is: "using_tool", tool: last.name };
  return { is: agent.kind === "initial" ? "answering" : agent.kind === "vote_only" ? "voting" : "judging" };
}

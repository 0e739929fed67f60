import { type Pace, type ReplyToolCall, type SimulatedReply, type Simulator, startSimulator } from "@massgen/simulator";
import { callOf, type SpokenStep } from "./call-of.js";
import { glimpseOfPrompt, readView } from "./read-view.js";
import type { ScriptedAgent, Step } from "./script.js";

export interface HttpVendorOptions {
  /** Factor of every delay; 0 answers at once. Default 1. */
  readonly timeScale?: number;
  /** Tokens that share a packet. Default 20, so that a scaled-down run sends no more packets a second than life. */
  readonly tokensPerPacket?: number;
  /** Each text token carries the machine's monotonic nanoseconds at its write. */
  readonly stamps?: boolean;
}

/** The header by which requests say whose they are. */
export const AGENT_HEADER = "x-simulated-agent";

/** The fake vendor over real HTTP on loopback, with the ledger of `@massgen/simulator`: the same scripts, in real time. */
export function openHttpVendor(team: readonly ScriptedAgent[], options: HttpVendorOptions = {}): Promise<Simulator> {
  const { timeScale = 1, tokensPerPacket = 20, stamps = false } = options;
  const answered = new Map<string, number>();
  return startSimulator({
    timeScale,
    stamps: stamps ? "clock" : "none",
    respond(request) {
      const agent = team.find(({ id }) => id === request.agent);
      if (agent === undefined) return { kind: "failure", status: 401 };
      const count = answered.get(agent.id) ?? 0;
      const step = agent.script(readView(glimpseOfPrompt(request), { call: request.index, answered: count }));
      if (step.does === "answer") answered.set(agent.id, count + 1);
      return replyOf(step, { ...agent.latency, tokensPerPacket });
    },
  });
}

function replyOf(step: Step, pace: Pace): SimulatedReply {
  switch (step.does) {
    case "fail": {
      const headers = step.retryAfterMs === undefined ? {} : { "retry-after-ms": String(step.retryAfterMs) };
      return { kind: "failure", status: step.status, afterMs: step.afterMs, headers };
    }
    case "stall":
      return { kind: "stall", pace };
    case "cut":
      return {
        kind: "cut",
        after: Math.floor(step.of.tokens * step.at),
        toolCalls: [toolCallOf(step.of)],
        pace: { ...pace, tokensPerEvent: 1 },
      };
    case "text":
      return { kind: "message", text: step.text, pace };
    default:
      return { kind: "message", toolCalls: [toolCallOf(step)], pace };
  }
}

function toolCallOf(step: Exclude<SpokenStep, { does: "text" }>): ReplyToolCall {
  const [name, input] = callOf(step);
  return { name, input };
}

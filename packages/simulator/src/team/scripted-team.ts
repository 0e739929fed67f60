import type { Respond } from "../options.js";
import type { SimulatedReply } from "../reply.js";
import type { SimulatedRequest } from "../request.js";
import { fillerText } from "./filler-text.js";
import { compared, divided, harmless, type Move, moveReply, reworded } from "./move.js";
import { type PromptView, readPrompt } from "./read-prompt.js";
import type { Step } from "./script.js";

/** Steps per agent: the header `x-simulated-agent` of its requests, else its model. */
export type Script = Readonly<Record<string, readonly Step[]>>;

/**
 * Models that follow a script, each its own steps in order, and are obedient afterwards: they vote for the first answer
 * shown, answer when there is none, and write plain text when asked to present, so that every run comes to an end. An
 * agent without steps is obedient from the start.
 */
export function scriptedTeam(script: Script = {}): Respond {
  return (request) => {
    const step = script[request.agent]?.[request.index];
    const view = readPrompt(request);
    return step === undefined ? moveReply(obedientMove(view, request)) : stepReply(resolveStep(step, request, view), request, view);
  };
}

type PlainStep = Exclude<Step, (...args: never[]) => unknown>;

function resolveStep(step: Step, request: SimulatedRequest, view: PromptView): PlainStep {
  return typeof step === "function" ? resolveStep(step(request, view), request, view) : step;
}

function stepReply(step: PlainStep, request: SimulatedRequest, view: PromptView): SimulatedReply {
  switch (step.do) {
    case "answer":
      return moveReply({ kind: "answer", content: textOf(step.content, request), remark: "" }, step.pace);
    case "vote":
      return moveReply(
        { kind: "vote", target: targetOf(step.target, view), reason: textOf(step.reason ?? "Scripted reason.", request), remark: "" },
        step.pace,
      );
    case "tool":
      return {
        kind: "message",
        toolCalls: [{ name: step.name, input: step.input }],
        ...(step.pace === undefined ? {} : { pace: step.pace }),
      };
    case "text":
      return moveReply({ kind: "say", text: textOf(step.text, request) }, step.pace);
    case "fail":
      return {
        kind: "failure",
        status: step.status,
        ...(step.headers === undefined ? {} : { headers: step.headers }),
        ...(step.afterMs === undefined ? {} : { afterMs: step.afterMs }),
      };
    case "cut":
      return {
        kind: "cut",
        toolCalls: [{ name: "new_answer", input: { content: textOf(step.content, request) } }],
        after: step.after,
        ...(step.pace === undefined ? {} : { pace: step.pace }),
      };
    case "stall":
    case "mute":
      return { kind: step.do };
    case "reply":
      return step.reply;
  }
}

const textOf = (content: string | number, request: SimulatedRequest): string =>
  typeof content === "string" ? content : fillerText(content, seedOf(request));

/** Differs between agents and between the requests of one agent: equal answers would be refused. Names nobody. */
function seedOf({ agent, index }: SimulatedRequest): number {
  let seed = index;
  for (const character of agent) seed = (seed * 31 + character.codePointAt(0)!) % 100_003;
  return seed;
}

function targetOf(target: string | number, view: PromptView): string {
  return typeof target === "string" ? target : (view.answers.at(target)?.from ?? view.answers[0]?.from ?? "agent1");
}

function obedientMove(view: PromptView, request: SimulatedRequest): Move {
  if (view.asks === "plan") return harmless;
  if (view.asks === "divide") return divided(view.partsFor);
  if (view.asks === "reword") return reworded(view.wordings);
  if (view.asks === "compare") return compared(view.wordings);
  if (view.asks === "judge") return { kind: "release", remark: "" };
  if (view.asks === "evaluate")
    return { kind: "vote", target: view.mayVoteFor[0]!, reason: "The first answer is good enough.", remark: "" };
  if (view.asks === "answer") return { kind: "answer", content: `Scripted answer ${seedOf(request)}.`, remark: "" };
  return { kind: "say", text: `Scripted final text by a stand-in for ${request.model}.` };
}

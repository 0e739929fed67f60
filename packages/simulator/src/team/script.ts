import type { JsonValue } from "@massgen/contracts";
import type { Pace, SimulatedReply } from "../reply.js";
import type { SimulatedRequest } from "../request.js";
import type { PromptView } from "./read-prompt.js";

/**
 * One thing a scripted model does. Texts are given as they are or as a number of tokens, then made up. `target` is an
 * anonymous id such as `agent2`, or a position among the answers shown, from 0; negative ones count from the end.
 */
export type Step =
  | { readonly do: "answer"; readonly content: string | number; readonly pace?: Pace }
  | { readonly do: "vote"; readonly target: string | number; readonly reason?: string | number; readonly pace?: Pace }
  | { readonly do: "tool"; readonly name: string; readonly input: JsonValue; readonly pace?: Pace }
  | { readonly do: "text"; readonly text: string | number; readonly pace?: Pace }
  | { readonly do: "fail"; readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly afterMs?: number }
  /** Begins to submit `content`; the connection breaks after so many tokens. */
  | { readonly do: "cut"; readonly content: string | number; readonly after: number; readonly pace?: Pace }
  | { readonly do: "stall" }
  | { readonly do: "mute" }
  /** Any reply at all. */
  | { readonly do: "reply"; readonly reply: SimulatedReply }
  | StepFunction;

/** Decides when it is its turn, by what the request shows. */
export type StepFunction = (request: SimulatedRequest, view: PromptView) => Step;

/** Shorthands for the steps of a script. */
export const step = {
  answer: (content: string | number, pace?: Pace): Step => ({ do: "answer", content, ...paced(pace) }),
  vote: (target: string | number, reason?: string | number, pace?: Pace): Step => ({
    do: "vote",
    target,
    ...(reason === undefined ? {} : { reason }),
    ...paced(pace),
  }),
  tool: (name: string, input: JsonValue, pace?: Pace): Step => ({ do: "tool", name, input, ...paced(pace) }),
  text: (text: string | number, pace?: Pace): Step => ({ do: "text", text, ...paced(pace) }),
  fail: (status: number, afterMs?: number): Step => ({ do: "fail", status, ...(afterMs === undefined ? {} : { afterMs }) }),
  cut: (content: string | number, after: number, pace?: Pace): Step => ({ do: "cut", content, after, ...paced(pace) }),
  stall: (): Step => ({ do: "stall" }),
  mute: (): Step => ({ do: "mute" }),
};

const paced = (pace: Pace | undefined): { readonly pace?: Pace } => (pace === undefined ? {} : { pace });

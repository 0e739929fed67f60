import type { Pace, SimulatedReply } from "./reply.js";
import type { SimulatedRequest } from "./request.js";

/** Decides what a model says. When it throws or rejects, the client gets a 500 with the message. */
export type Respond = (request: SimulatedRequest) => SimulatedReply | Promise<SimulatedReply>;

export interface SimulatorOptions {
  readonly respond: Respond;
  /** Default 0: a free one. */
  readonly port?: number;
  /** For replies that name none; default: everything at once. */
  readonly pace?: Pace;
  /** Factor of every delay; default 1. */
  readonly timeScale?: number;
  /** True: requests that break the vendor's rules are answered all the same. */
  readonly lenient?: boolean;
  /** The models there are; a request for another is a 404. Default: any, and those asked for so far are listed. */
  readonly models?: readonly string[];
  /** `clock`: each text token of a stream is a space and the machine's monotonic nanoseconds at its write, to measure transit. */
  readonly stamps?: "none" | "clock";
  /** `forget`: the ledger keeps numbers but no texts, for runs of many thousand requests. */
  readonly bodies?: "keep" | "forget";
}

import type { DecideReview, Review, RunSummary } from "@massgen/client";
import type { Approval, RunEvent } from "@massgen/contracts";
import type { RunView } from "@massgen/views";
import { type ApiError, badRequest } from "../errors.js";
import type { Artefacts } from "./artefacts.js";

/** A run that the API can show, live or from its log. */
export interface RunEntry {
  readonly id: string;
  summary(): Promise<RunSummary>;
  /** All facts so far, folded; a run at work is not waited for. */
  view(): Promise<RunView>;
  /** What it leaves; `null` when it keeps no files. */
  readonly artefacts: Artefacts | null;
  /**
   * Facts after `after`, in order, each once, and the deltas that pass; ends when the run is over, or with `signal`.
   * What is a secret of the run is taken out. `factsOnly`: deltas may be left out, where that is cheaper.
   */
  events(after: number, signal: AbortSignal, factsOnly?: boolean): AsyncIterable<RunEvent>;
  /** Whether the run took it: not after its decision, and not when another process has it. */
  answerNow(reason: string): Promise<boolean>;
  cancel(reason: string): Promise<boolean>;
  /** Whether anybody could still hear it. `agent: null`: to all. @throws ApiError for an agent there is not */
  sendInput(text: string, agent: string | null): Promise<boolean>;
  /** Whether the request was waiting for an answer over the API. */
  answerRequest(requestId: string, reply: Approval): Promise<boolean>;
  /** What the presenter changed in files of the user's; waits for it once the facts are over. */
  review(): Promise<Review>;
  /** Whether a review was open. @throws ApiError for a path that is not among the changes */
  decideReview(decision: DecideReview): Promise<boolean>;
}

export const unknownAgent = (agent: string, team: readonly string[]): ApiError =>
  badRequest(`There is no agent ${JSON.stringify(agent)} in this run. Its agents are ${team.join(", ")}.`, "agent", "unknown_agent");

import type { HumanRequest } from "./facts/requests.js";

/** What a person may say to a call of a tool. `allow_run`: and to every other one that is asked about for the same reason. */
export type Approval = "allow_once" | "allow_run" | "deny";

/**
 * A person who can be asked while a run goes on.
 *
 * - One question at a time: the next one comes when the last was answered, or was withdrawn by its signal.
 * - `ask` ends soon after `signal` aborts: nobody waits for the answer any more.
 * - Rejecting means that nobody answered, and counts as `deny`.
 */
export interface HumanBroker {
  ask(request: HumanRequest, signal: AbortSignal): Promise<Approval>;
}

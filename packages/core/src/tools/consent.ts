import type { ActivityFact, AgentId, Ambient, Approval, HumanBroker, HumanRequest, JsonValue } from "@massgen/contracts";
import { OVER } from "../async/over.js";
import { unlessAborted } from "../async/unless-aborted.js";
import { headOf } from "../text/cut-text.js";

/** A call that somebody wants a person's consent to. */
export interface ConsentQuestion {
  readonly agent: AgentId;
  readonly tool: string;
  readonly input: JsonValue;
  /** Who asks, as `command:git-push` or `hook guard.mjs`: what a consent for the whole run covers. */
  readonly rule: string;
  readonly why: string;
}

/** Where a question is asked from. */
interface Asking {
  /** Aborts when the answer is of no use any more. */
  readonly signal: AbortSignal;
  report(fact: ActivityFact): void;
}

/** Resolves with `null` for a consent, else with why there is none, as the end of a sentence. Never rejects. */
export type AskConsent = (question: ConsentQuestion) => Promise<string | null>;

export interface Consent {
  ask(question: ConsentQuestion, asking: Asking): Promise<string | null>;
}

const NOBODY = "nobody is there to be asked";
const PATIENCE_MS = 120_000;
/** Questions in a minute; an agent that asks for more wants to be waved through. */
const MOST_A_MINUTE = 10;

/** Characters of a call. */
const LONGEST_SHOWN = 2_000;

const CHOICES: Readonly<Record<Approval, string>> = {
  allow_once: "allow this call",
  allow_run: "allow for this run",
  deny: "refuse",
};

/**
 * Asks a person, one question after another, and puts question and answer on record. Whoever is not there, does not answer
 * within two minutes, or is asked more than ten times a minute has not agreed (docs/spec/tools.md 4.8).
 */
export function createConsent(human: HumanBroker | null, { clock, ids }: Pick<Ambient, "clock" | "ids">): Consent {
  const granted = new Set<string>();
  const asked: number[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function put(broker: HumanBroker, question: ConsentQuestion, { signal, report }: Asking): Promise<string | null> {
    if (granted.has(keyOf(question))) return null;
    if (signal.aborted) return "the round is over";
    const now = clock.monotonic();
    while (asked.length > 0 && (asked[0] ?? now) < now - 60_000) asked.shift();
    if (asked.length >= MOST_A_MINUTE) return `more than ${MOST_A_MINUTE} questions were asked within a minute`;
    asked.push(now);
    const request = requestOf(question, ids.next("request"));
    report({ type: "request_opened", request });
    const { by, reply } = await answerOf(broker, request, signal);
    report({ type: "request_closed", requestId: request.id, by, reply });
    if (reply === "allow_run") granted.add(keyOf(question));
    if (reply !== "deny") return null;
    return by === "person" ? "a person refused" : by === "deadline" ? `nobody answered within ${PATIENCE_MS / 1000} s` : NOBODY;
  }

  async function answerOf(
    broker: HumanBroker,
    request: HumanRequest,
    signal: AbortSignal,
  ): Promise<{ readonly by: "person" | "policy" | "deadline"; readonly reply: Approval }> {
    const limit = new AbortController();
    const timer = new AbortController();
    const onEnd = (): void => limit.abort(signal.reason);
    signal.addEventListener("abort", onEnd, { once: true });
    const isLate = clock.sleepUntil(clock.monotonic() + PATIENCE_MS, timer.signal).then(
      () => limit.abort(),
      () => {},
    );
    try {
      const reply: unknown = await unlessAborted(broker.ask(request, limit.signal), limit.signal);
      return { by: "person", reply: isApproval(reply) ? reply : "deny" };
    } catch {
      return { by: limit.signal.aborted && !signal.aborted ? "deadline" : "policy", reply: "deny" };
    } finally {
      timer.abort(OVER);
      signal.removeEventListener("abort", onEnd);
      await isLate;
    }
  }

  return {
    ask(question, asking) {
      if (human === null) return Promise.resolve(NOBODY);
      const answer = last.then(() => put(human, question, asking));
      last = answer.catch(() => {});
      return answer.catch(() => NOBODY);
    },
  };
}

const keyOf = ({ agent, tool, rule }: ConsentQuestion): string => JSON.stringify([agent, tool, rule]);

const requestOf = ({ agent, tool, input, rule, why }: ConsentQuestion, id: string): HumanRequest => ({
  id,
  kind: "tool_approval",
  agent,
  prompt: `${tool} ${shown(JSON.stringify(input))}: ${why} (${rule})`,
  choices: Object.values(CHOICES),
  deadlineMs: PATIENCE_MS,
  onDeadline: "deny",
});

/** Nobody agrees to what is not said: what does not fit is at least counted. */
const shown = (text: string): string => {
  const head = headOf(text, LONGEST_SHOWN);
  return head.length === text.length ? text : `${head} … and ${text.length - head.length} characters more`;
};

/** Brokers are other people's code. */
const isApproval = (reply: unknown): reply is Approval => typeof reply === "string" && Object.hasOwn(CHOICES, reply);

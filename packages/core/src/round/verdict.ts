import type { AgentId, AnswerLabel, CoordinationEvent } from "@massgen/contracts";

type Refused = Extract<CoordinationEvent, { type: "answer_rejected" | "vote_rejected" | "enforcement_retry" }>;

/** What the kernel made of a claim, as far as the conversation must know. */
export interface Verdict {
  /** The conversation has nothing more to do: the claim was accepted, or the round ended otherwise. */
  readonly isOver: boolean;
  /** The round ended as rounds should: in an answer, a vote, or standing by what there is. */
  readonly isSettled: boolean;
  readonly refused: Refused | null;
  /** A vote or stop came too late for the answers there are now. */
  readonly isStale: boolean;
  /** Answers that are to be put into the conversation now. */
  readonly injected: readonly AnswerLabel[];
  /** Numbers of the inputs that are to be put into it. */
  readonly heard: readonly number[];
}

const ENDS: readonly CoordinationEvent["type"][] = [
  "answer_submitted",
  "vote_cast",
  "agent_stopped",
  "agent_abstained",
  "agent_failed",
  "agent_timeout",
  "agent_cancelled",
  "round_started",
  "post_evaluation_finished",
];

const SETTLES: readonly CoordinationEvent["type"][] = ["answer_submitted", "vote_cast", "agent_abstained"];

/** Reads the facts about `agent`; of a claim that led to no fact at all nobody wanted to know any more. */
export function readVerdict(facts: readonly CoordinationEvent[], agent: AgentId): Verdict {
  const own = facts.filter((fact) => "agent" in fact && fact.agent === agent);
  const goesOn = own.filter(
    (fact) =>
      isStaleWord(fact) ||
      fact.type === "update_injected" ||
      fact.type === "wrap_up_delivered" ||
      fact.type === "input_delivered" ||
      isRefusal(fact),
  );
  return {
    isOver: goesOn.length === 0 || own.some((fact) => ENDS.includes(fact.type)) || facts.some((fact) => fact.type === "run_finished"),
    isSettled: own.some((fact) => SETTLES.includes(fact.type)),
    refused: own.find(isRefusal) ?? null,
    isStale: own.some(isStaleWord),
    injected: own.flatMap((fact) => (fact.type === "update_injected" ? fact.labels : [])),
    heard: own.flatMap((fact) => (fact.type === "input_delivered" ? fact.numbers : [])),
  };
}

const isStaleWord = (fact: CoordinationEvent): boolean => fact.type === "vote_ignored" || fact.type === "stop_ignored";

const isRefusal = (fact: CoordinationEvent): fact is Refused =>
  fact.type === "answer_rejected" || fact.type === "vote_rejected" || fact.type === "enforcement_retry";

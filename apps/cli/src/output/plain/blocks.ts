import type { CoordinationEvent, PresentationFallback, Recorded } from "@massgen/contracts";
import type { RunState } from "@massgen/kernel";
import { visibleLine, visibleText } from "../visible-text.js";
import { attemptTellers } from "./attempts.js";
import { type Block, block, type Teller } from "./block.js";
import { budgetTellers } from "./budget.js";
import { counted, labelWithAuthor, listed, nameOf } from "./names.js";

/**
 * What a person is told about one record; `run` is the state after it. Empty for records that nobody waits for, and for the
 * decision, which `decisionBlocks` tells.
 */
export function blocksOf(record: Recorded, run: RunState): readonly Block[] {
  // The table is keyed by the type of the fact it takes; the compiler cannot follow that through a lookup.
  const tell = tellers[record.type] as ((fact: CoordinationEvent, run: RunState) => Block | null) | undefined;
  const block = tell?.(record, run) ?? null;
  if (block === null || (run.mode === "single" && SAID_BY_THE_ANSWER.includes(record.type))) return [];
  return [block];
}

/** With one agent there is nothing to compare: the final answer says it all. */
const SAID_BY_THE_ANSWER: readonly string[] = ["answer_submitted", "presentation_started"];

const tellers: Teller = {
  round_started: (fact, run) => {
    const who = nameOf(run, fact.agent);
    const shown = listed(fact.shown.map((label) => labelWithAuthor(run, label)));
    if (fact.shown.length === 0) return block(who, "faint", "begins", { weight: "detail" });
    return block(who, "faint", fact.kind === "vote_only" ? `reads ${shown}; it may only vote now` : `reads ${shown}`, { weight: "detail" });
  },
  update_injected: (fact, run) =>
    block(nameOf(run, fact.agent), "faint", `is shown ${listed(fact.labels.map((label) => labelWithAuthor(run, label)))} while it works`, {
      weight: "detail",
    }),
  answer_submitted: (fact, run) => {
    const size = counted(wordsIn(fact.content), "word");
    const text = fact.salvaged
      ? `answer ${fact.label}, saved from its unfinished work (${size})`
      : fact.supersedes === null
        ? `answer ${fact.label} (${size})`
        : `better answer ${fact.label} in place of ${fact.supersedes} (${size})`;
    return block(nameOf(run, fact.agent), "answer", text, { quote: visibleText(fact.content) });
  },
  vote_cast: (fact, run) => {
    const target = fact.target === fact.agent ? `its own ${fact.targetLabel}` : labelWithAuthor(run, fact.targetLabel);
    if (run.mode === "refine")
      return block(nameOf(run, fact.agent), "vote", `accepts ${fact.targetLabel}`, { quote: visibleLine(fact.reason) || null });
    const weight = fact.weight === 1 ? "" : ` (counts ${fact.weight})`;
    return block(nameOf(run, fact.agent), "vote", `votes for ${target}${weight}`, { quote: visibleLine(fact.reason) || null });
  },
  vote_ignored: (fact, run) =>
    block(
      nameOf(run, fact.agent),
      "warning",
      `its vote does not count: it has not seen ${listed(fact.unseen.map((label) => labelWithAuthor(run, label)))} yet`,
    ),
  vote_invalidated: (fact, run) => {
    const voters = listed(fact.voters.map((voter) => nameOf(run, voter)));
    const votes = fact.voters.length === 1 ? `the vote of ${voters} is void` : `the votes of ${voters} are void`;
    return block(null, "warning", `${votes}: ${labelWithAuthor(run, fact.byLabel)} is new, everybody looks again`);
  },
  answer_rejected: (fact, run) => block(nameOf(run, fact.agent), "warning", `answer refused${attempt(fact)}${because(fact.message)}`),
  vote_rejected: (fact, run) => block(nameOf(run, fact.agent), "warning", `vote refused${attempt(fact)}${because(fact.message)}`),
  enforcement_retry: (fact, run) =>
    block(
      nameOf(run, fact.agent),
      "warning",
      `${run.phase === "evaluating" ? "no decision on the final answer" : NOTHING[run.mode]}${attempt(fact)}${because(fact.message)}`,
    ),
  coordination_skipped: (fact, run) => block(nameOf(run, fact.agent), "faint", "answers at once, without the others"),
  agent_stopped: (fact, run) =>
    fact.by === "limit"
      ? block(nameOf(run, fact.agent), "vote", "is done: it has no answers left to give")
      : block(nameOf(run, fact.agent), "vote", fact.status === "complete" ? "is done with its part" : "cannot go on with its part", {
          quote: visibleLine(fact.summary) || null,
        }),
  stop_ignored: (fact, run) =>
    block(
      nameOf(run, fact.agent),
      "warning",
      `is not done yet: it has not seen ${listed(fact.unseen.map((label) => labelWithAuthor(run, label)))}`,
    ),
  agent_abstained: (fact, run) => block(nameOf(run, fact.agent), "warning", `abstains (${fact.code.replaceAll("_", " ")})`),
  agent_failed: (fact, run) =>
    fact.fatal
      ? block(nameOf(run, fact.agent), "failure", `failed and is out${because(fact.message)}`)
      : block(nameOf(run, fact.agent), "warning", `failed${because(fact.message)}; its round is tried once more`),
  agent_timeout: (fact, run) =>
    block(
      nameOf(run, fact.agent),
      "failure",
      fact.limit === "hard" ? "out of time: its round passed the hard limit" : "stopped by the time limit of the run",
    ),
  agent_cancelled: (fact, run) => {
    const why = {
      straggler: "the others did not wait for it any longer",
      decided: "the decision is made",
      cancelled: "the run was interrupted",
    };
    return block(nameOf(run, fact.agent), fact.reason === "straggler" ? "warning" : "faint", `stopped: ${why[fact.reason]}`, {
      weight: fact.reason === "straggler" ? "fact" : "detail",
    });
  },
  soft_timeout: (fact, run) => block(nameOf(run, fact.agent), "warning", `is asked to wrap up after ${seconds(fact.limitMs)}`),
  hard_timeout: (fact, run) => block(nameOf(run, fact.agent), "warning", "may only answer or vote now: its time is up"),
  fairness_pause: (fact, run) =>
    block(nameOf(run, fact.agent), "faint", `waits: it is ${counted(fact.lead, "answer")} ahead of the slowest`, { weight: "detail" }),
  limit_reached: (fact, run) => {
    const whose = fact.agent === null ? "all agents together" : nameOf(run, fact.agent);
    return block(
      null,
      "warning",
      `limit reached: ${whose} made ${counted(fact.value, "answer")}${run.mode === "voting" ? ", from now on only votes" : ""}`,
    );
  },
  ...budgetTellers,
  ...attemptTellers,
  stragglers_given_up: (fact, run) =>
    block(null, "warning", `voting starts without a first answer of ${listed(fact.waitingFor.map((agent) => nameOf(run, agent)))}`),
  debate_started: (fact) =>
    block(
      null,
      "warning",
      `only ${percent(fact.share)} agree where ${percent(fact.threshold)} were asked for: debate ${fact.debate} of ${fact.of}, all votes are void`,
    ),
  stagnation_restart: (fact) =>
    block(null, "warning", `nothing new for ${counted(fact.rounds, "round")}: everybody starts afresh with a different approach`),
  answer_now_requested: () => block(null, "warning", "the result is wanted now: whoever works is asked to wrap up"),
  input_received: (fact, run) =>
    block(null, "faint", `said to ${listed(fact.agents.map((agent) => nameOf(run, agent)))}: ${visibleLine(fact.text)}`),
  answers_closed: (fact) =>
    block(
      null,
      "warning",
      `no new answers any more${fact.because === "stagnation" ? ", because nothing moves" : ""}: from now on only votes`,
    ),
  orchestrator_timeout: (fact) => block(null, "failure", `time limit of ${seconds(fact.limitMs)} reached: the best answer so far is used`),
  cancelled: () => block(null, "warning", "interrupted: what is there is being saved", { weight: "detail" }),
  llm_call: (fact, run) =>
    fact.status === "retrying"
      ? block(nameOf(run, fact.agent), "warning", `tries again: ${visibleLine(fact.message ?? "the call failed")}`, { weight: "brief" })
      : null,
  presentation_started: (fact, run) => block(nameOf(run, fact.agent), "faint", "writes the final answer", { weight: "detail" }),
  presentation_finished: (fact, run) =>
    fact.fallback === null || fact.fallback === "skipped"
      ? null
      : block(nameOf(run, fact.agent), "warning", `${FALLBACKS[fact.fallback]}; its stored answer is the final one`),
};

const NOTHING: Readonly<Record<RunState["mode"], string>> = {
  voting: "neither answer nor vote",
  refine: "neither answer nor vote",
  single: "no answer",
  sequential: "no answer",
  decomposition: "neither answer nor stop",
};

const FALLBACKS: Readonly<Record<Exclude<PresentationFallback, "skipped">, string>> = {
  empty: "the presentation was empty",
  error: "the presentation failed",
  timeout: "the presentation ran out of time",
  failed_agent: "the winner can no longer present",
};

const attempt = (fact: { readonly attempt: number; readonly maxAttempts: number }): string =>
  ` (attempt ${fact.attempt} of ${fact.maxAttempts})`;
/** A message at the end of a sentence, without the point of its own. */
const because = (message: string): string => (message.trim() === "" ? "" : `: ${visibleLine(message).replace(/\.$/, "")}`);
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(1))} s`;
const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

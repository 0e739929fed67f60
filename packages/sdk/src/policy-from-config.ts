import type { MassgenConfig, OrchestratorConfig } from "@massgen/config";
import type { CoordinateOptions, PolicyOptions } from "@massgen/core";

/** What a config says about how a run goes: rules for the kernel, settings for the runner. */
export type RunSettings = Pick<
  CoordinateOptions,
  | "votingSensitivity"
  | "answerOrder"
  | "toolOffering"
  | "scrubIdentities"
  | "stallMs"
  | "seed"
  | "planningInstruction"
  | "divisionGuidelines"
> & {
  readonly policy: PolicyOptions;
};

/** The rules of a run as configured. A table from keys to policy; nothing is decided here. */
export function policyFromConfig({ orchestrator, timeouts }: Pick<MassgenConfig, "orchestrator" | "timeouts">): RunSettings {
  return {
    votingSensitivity: orchestrator.votingSensitivity,
    answerOrder: orchestrator.answerOrder,
    toolOffering: orchestrator.toolOffering,
    scrubIdentities: orchestrator.scrubIdentities,
    stallMs: milliseconds(timeouts.agentStallTimeoutSeconds),
    ...(orchestrator.planningModeInstruction === null ? {} : { planningInstruction: orchestrator.planningModeInstruction }),
    ...(orchestrator.decomposer.guidelines === null ? {} : { divisionGuidelines: orchestrator.decomposer.guidelines }),
    ...(orchestrator.seed === null ? {} : { seed: orchestrator.seed }),
    policy: {
      maxAnswersPerAgent: orchestrator.maxNewAnswersPerAgent,
      maxAnswersGlobal: orchestrator.maxNewAnswersGlobal,
      fairnessLeadCap: orchestrator.fairnessEnabled ? orchestrator.fairnessLeadCapAnswers : null,
      maxInjectionsPerRound: orchestrator.maxMidstreamInjectionsPerRound,
      peerUpdates: orchestrator.disableInjection || orchestrator.deferPeerUpdatesUntilRestart ? "next_round" : "midstream",
      deferVotingUntilAllAnswered: orchestrator.deferVotingUntilAllAnswered,
      stragglerPatience: orchestrator.stragglerPatience,
      tieBreak: orchestrator.tieBreak,
      maxRestarts: orchestrator.maxOrchestrationRestarts,
      debugFinalAnswer: orchestrator.debugFinalAnswer,
      planningMode: orchestrator.planningMode,
      paraphrases: orchestrator.paraphrases,
      paraphraseThreshold: orchestrator.paraphraseThreshold,
      dividesWork: orchestrator.decomposer.isEnabled,
      verifyRequired: orchestrator.verifyRequired,
      novelty: orchestrator.answerNoveltyRequirement,
      maxRounds: orchestrator.maxRounds,
      convergenceThreshold: orchestrator.convergenceThreshold,
      votingMethod: orchestrator.votingMethod,
      selfVoteWeight: orchestrator.selfVoteWeight,
      enableRestarts: orchestrator.enableRestarts,
      restartAfterStagnation: orchestrator.restartAfterStagnation,
      budget: orchestrator.budget,
      skipCoordination: orchestrator.skipCoordinationRounds,
      skipVoting: orchestrator.skipVoting,
      finalAnswer: finalAnswerOf(orchestrator),
      presenterAgent: orchestrator.presenterAgent,
      limits: {
        orchestratorMs: milliseconds(timeouts.orchestratorTimeoutSeconds),
        initialRoundMs: orNull(timeouts.initialRoundTimeoutSeconds),
        subsequentRoundMs: orNull(timeouts.subsequentRoundTimeoutSeconds),
        roundGraceMs: milliseconds(timeouts.roundTimeoutGraceSeconds),
        divisionMs: milliseconds(orchestrator.decomposer.timeoutSeconds),
        presentationMs: milliseconds(timeouts.finalPresentationTimeoutSeconds),
        postEvaluationMs: milliseconds(timeouts.postEvaluationTimeoutSeconds),
      },
    },
  };
}

/** What agents want written into the user's folders is written by a presenter, so an answer is not final as it stands there. */
function finalAnswerOf({ finalAnswerStrategy, contextPaths }: OrchestratorConfig): "reuse" | "present" | "synthesize" {
  const chosen = FINAL_ANSWER[finalAnswerStrategy];
  return chosen === "reuse" && contextPaths.some(({ permission }) => permission === "write") ? "present" : chosen;
}

const FINAL_ANSWER = { winner_reuse: "reuse", winner_present: "present", synthesize: "synthesize" } as const;

const milliseconds = (seconds: number): number => Math.round(seconds * 1000);
const orNull = (seconds: number | null): number | null => (seconds === null ? null : milliseconds(seconds));

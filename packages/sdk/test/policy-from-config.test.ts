import { type OrchestratorConfig, type TimeoutConfig, validateConfig } from "@massgen/config";
import { defaultPolicy } from "@massgen/kernel";
import { describe, expect, it } from "vitest";
import { policyFromConfig, type RunSettings } from "../src/policy-from-config.js";

const base = validateConfig({ agents: ["a", "b", "c"].map((id) => ({ id, backend: { type: "ollama", model: "m" } })) }).config!;
const settings = (orchestrator: Partial<OrchestratorConfig>, timeouts: Partial<TimeoutConfig> = {}): RunSettings =>
  policyFromConfig({ orchestrator: { ...base.orchestrator, ...orchestrator }, timeouts: { ...base.timeouts, ...timeouts } });

describe("the rules of a run as configured", () => {
  it("are the kernel's own when nothing is configured", () => {
    const { policy } = settings({});
    expect({ ...defaultPolicy, ...policy, deferVotingUntilAllAnswered: null }).toEqual(defaultPolicy);
    expect(policy.deferVotingUntilAllAnswered).toBe(true);
  });

  it.each<[Partial<OrchestratorConfig>, RunSettings["policy"]]>([
    [{ maxNewAnswersPerAgent: 2 }, { maxAnswersPerAgent: 2 }],
    [{ maxNewAnswersGlobal: 5 }, { maxAnswersGlobal: 5 }],
    [{ fairnessEnabled: false, fairnessLeadCapAnswers: 1 }, { fairnessLeadCap: null }],
    [{ fairnessEnabled: true, fairnessLeadCapAnswers: 0 }, { fairnessLeadCap: 0 }],
    [{ maxMidstreamInjectionsPerRound: 0 }, { maxInjectionsPerRound: 0 }],
    [{ disableInjection: true }, { peerUpdates: "next_round" }],
    [{ deferPeerUpdatesUntilRestart: true }, { peerUpdates: "next_round" }],
    [{ deferVotingUntilAllAnswered: false }, { deferVotingUntilAllAnswered: false }],
    [{ stragglerPatience: null }, { stragglerPatience: null }],
    [{ maxOrchestrationRestarts: 2 }, { maxRestarts: 2 }],
    [{ debugFinalAnswer: "wrong" }, { debugFinalAnswer: "wrong" }],
    [{ planningMode: true }, { planningMode: true }],
    [{ finalAnswerStrategy: "winner_reuse" }, { finalAnswer: "reuse" }],
    [
      { finalAnswerStrategy: "winner_reuse", contextPaths: [{ path: "src", permission: "write", protectedPaths: [] }] },
      { finalAnswer: "present" },
    ],
    [
      { finalAnswerStrategy: "winner_reuse", contextPaths: [{ path: "src", permission: "read", protectedPaths: [] }] },
      { finalAnswer: "reuse" },
    ],
    [{ tieBreak: ["latest_answer"] }, { tieBreak: ["latest_answer"] }],
    [{ answerNoveltyRequirement: "strict" }, { novelty: "strict" }],
    [{ maxRounds: 3 }, { maxRounds: 3 }],
    [{ convergenceThreshold: 0.7 }, { convergenceThreshold: 0.7 }],
    [{ votingMethod: "weighted_by_confidence" }, { votingMethod: "weighted_by_confidence" }],
    [{ selfVoteWeight: 0.5 }, { selfVoteWeight: 0.5 }],
    [{ enableRestarts: false }, { enableRestarts: false }],
    [{ restartAfterStagnation: 2 }, { restartAfterStagnation: 2 }],
  ])("%j becomes %j", (orchestrator, policy) => {
    expect(settings(orchestrator).policy).toMatchObject(policy);
  });

  it.each<[Partial<TimeoutConfig>, RunSettings["policy"]["limits"]]>([
    [{ orchestratorTimeoutSeconds: 2.5 }, { orchestratorMs: 2500 }],
    [{ initialRoundTimeoutSeconds: 60 }, { initialRoundMs: 60_000 }],
    [{ subsequentRoundTimeoutSeconds: null }, { subsequentRoundMs: null }],
    [{ roundTimeoutGraceSeconds: 1 }, { roundGraceMs: 1000 }],
    [{ finalPresentationTimeoutSeconds: 9 }, { presentationMs: 9000 }],
    [{ postEvaluationTimeoutSeconds: 8 }, { postEvaluationMs: 8000 }],
  ])("%j becomes %j", (timeouts, limits) => {
    expect(settings({}, timeouts).policy.limits).toMatchObject(limits ?? {});
  });

  it("hands the runner what is no rule", () => {
    expect(settings({ votingSensitivity: "strict", answerOrder: "fixed", seed: 7 }, { agentStallTimeoutSeconds: 4 })).toMatchObject({
      votingSensitivity: "strict",
      answerOrder: "fixed",
      seed: 7,
      stallMs: 4000,
    });
    expect(settings({ planningModeInstruction: "Only plan." }).planningInstruction).toBe("Only plan.");
    expect(settings({ toolOffering: "per_round", scrubIdentities: true })).toMatchObject({
      toolOffering: "per_round",
      scrubIdentities: true,
    });
    expect("seed" in settings({ seed: null })).toBe(false);
  });
});

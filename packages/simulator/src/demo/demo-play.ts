import type { Play } from "../team/part.js";
import { atlasAnswer } from "./atlas.js";
import { birchAnswer, birchImprovement } from "./birch.js";
import { cedarAnswer } from "./cedar.js";
import { finalAnswer } from "./final.js";

/**
 * The prepared run for `DEMO_QUESTION`: three views of one problem, two votes that a synthesis voids, a new vote with a
 * dissent that is right in its way, and a final answer that says how to start and how to prove it.
 */
export const demoPlay: Play = {
  improvement: birchImprovement,
  parts: [
    {
      answer: atlasAnswer,
      improvement: null,
      earlyBallot: {
        for: birchAnswer,
        reason:
          "Only this answer handles a timeout between us and the provider. A key in the database alone leaves a crash after the charge open.",
      },
      lateBallot: {
        for: birchImprovement,
        reason:
          "Closes both gaps, the client's repeat and the provider's timeout, and says what becomes of a request that crashed: ask the provider, never charge again.",
      },
      final: finalAnswer,
      alone: finalAnswer,
      remarks: {
        answer: "The decision must survive a crash, so I start from the database.",
        improvement: "",
        earlyBallot: "The answers differ in what happens after a crash; that decides it for me.",
        lateBallot: "The new answer takes up what mine lacked.",
      },
    },
    {
      answer: birchAnswer,
      improvement: birchImprovement,
      earlyBallot: {
        for: atlasAnswer,
        reason: "A unique constraint that commits together with the payment is the strongest guarantee among the three.",
      },
      lateBallot: {
        for: birchImprovement,
        reason:
          "The only answer in which every step can crash and be taken up again: the intent is stored before the charge, and the provider sees the same key each time.",
      },
      final: finalAnswer,
      alone: finalAnswer,
      remarks: {
        answer: "Where can we end up not knowing whether money moved? I follow that.",
        improvement: "Each answer closes a gap the others leave open. They fit together, so I bring them together.",
        earlyBallot: "",
        lateBallot: "I check each step for a crash right after it.",
      },
    },
    {
      answer: cedarAnswer,
      improvement: null,
      earlyBallot: {
        for: atlasAnswer,
        reason:
          "A unique constraint cannot run out in the middle of a charge, as a lock in Redis can, and it commits together with the payment.",
      },
      lateBallot: {
        for: atlasAnswer,
        reason:
          "The synthesis is right but has five moving parts. One table and one constraint is what a small team gets right in a week; the worker can follow.",
      },
      final: finalAnswer,
      alone: finalAnswer,
      remarks: {
        answer: "Repeats come within seconds. What should the client see meanwhile?",
        improvement: "",
        earlyBallot: "I compare what still holds when a part fails.",
        lateBallot: "More complete, but what does it cost to build?",
      },
    },
  ],
};

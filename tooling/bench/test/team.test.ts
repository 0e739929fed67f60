import { expect, it } from "vitest";
import { playTeam } from "../src/team/play-team.js";

const SIZE = { agents: 6, answers: 2 };

it("a team without conversations comes to the same answers and votes as one with them", async () => {
  const count = async (part: "whole" | "rules"): Promise<readonly number[]> => {
    const { answers, votes } = (await playTeam(part, SIZE)).state();
    return [answers.length, votes.length];
  };
  expect(await count("rules")).toEqual([12, 6]);
  expect(await count("whole")).toEqual([12, 6]);
});

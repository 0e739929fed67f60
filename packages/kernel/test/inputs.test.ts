import { describe, expect, it } from "vitest";
import { heardInputs, unheardInputs } from "../src/index.js";
import { table } from "./play.js";

const TEAM = ["ada", "bob", "cyd"];
const say = (text: string, agents: readonly string[] | null = null) => ({ type: "input_received", id: null, text, agents }) as const;
const texts = (said: ReturnType<typeof heardInputs>): readonly string[] => said.map(({ text }) => text);

describe("what is said to agents at work (coordination.md 1.24)", () => {
  it("is taken for all, or for those that are named and there", () => {
    const run = table(TEAM);
    expect(run.send(say("Use Rust."))).toEqual([{ type: "input_received", number: 1, id: null, text: "Use Rust.", agents: TEAM }]);
    expect(run.send(say("You too.", ["bob", "mallory"]))).toMatchObject([{ number: 2, agents: ["bob"] }]);
    expect(run.send(say("Hello?", ["mallory"]))).toEqual([]);
    expect(run.send(say(" \n "))).toEqual([]);
    expect(texts(unheardInputs(run.state, "bob"))).toEqual(["Use Rust.", "You too."]);
    expect(texts(unheardInputs(run.state, "ada"))).toEqual(["Use Rust."]);
  });

  it("counts once, however often it is sent under one id", () => {
    const run = table(TEAM);
    const twice = { ...say("Use Rust."), id: "message-1" } as const;
    expect([run.send(twice), run.send(twice), run.send({ ...twice, id: "message-2" })].map((facts) => facts.length)).toEqual([1, 0, 1]);
  });

  it("is delivered once, and only to a round that runs", () => {
    const run = table(TEAM);
    run.send(say("Use Rust."));
    const delivered = { type: "input_delivered", agent: "ada", round: 0, numbers: [1, 7] } as const;
    expect(run.send(delivered)).toEqual([{ ...delivered, numbers: [1] }]);
    expect(run.send(delivered)).toEqual([]);
    expect(run.send({ ...delivered, agent: "bob", round: 3 })).toEqual([]);
    expect(run.send({ ...delivered, agent: "mallory" })).toEqual([]);
    expect(texts(heardInputs(run.state, "ada"))).toEqual(["Use Rust."]);
    expect(heardInputs(run.state, "bob")).toEqual([]);
  });

  it("comes with the prompt of the next round to whom it did not reach before", () => {
    const run = table(TEAM);
    run.send(say("Use Rust."));
    run.send({ type: "input_delivered", agent: "ada", round: 0, numbers: [1] });
    for (const id of TEAM) run.answer(id, `by ${id}`);
    expect(run.of("input_delivered").map(({ agent, round }) => [agent, round])).toEqual([
      ["ada", 0],
      ["bob", 1],
      ["cyd", 1],
    ]);
  });

  it("does not reach who has failed; after the decision it reaches the presenter alone, and after the end nobody", () => {
    const run = table(TEAM);
    run.send({ type: "round_failed", agent: "cyd", round: 0, kind: "backend_fatal", message: "401", text: "" });
    expect(run.send(say("Go on."))).toMatchObject([{ agents: ["ada", "bob"] }]);
    for (const id of ["ada", "bob"]) run.answer(id, `by ${id}`);
    for (const id of ["ada", "bob"]) run.vote(id, "agent1");
    expect(run.state).toMatchObject({ phase: "presenting", decision: { winner: "ada" } });
    expect(run.send(say("Bob?", ["bob"]))).toEqual([]);
    expect(run.send(say("In one page."))).toMatchObject([{ number: 2, agents: ["ada"] }]);
    const round = run.state.presentationRound ?? -1;
    expect(run.send({ type: "input_delivered", agent: "ada", round, numbers: [2] })).toMatchObject([{ numbers: [2] }]);
    run.send({ type: "presented", agent: "ada", content: "final" });
    expect(run.send(say("Too late."))).toEqual([]);
  });

  it("said between the last round and the presentation stands in the prompt of the presentation", () => {
    const run = table(TEAM);
    for (const id of TEAM) run.answer(id, `by ${id}`);
    for (const id of ["ada", "bob"]) run.vote(id, "agent1");
    run.send(say("In one page."));
    run.vote("cyd", "agent1");
    expect(run.of("input_delivered")).toMatchObject([{ agent: "ada", round: run.state.presentationRound ?? -1, numbers: [1] }]);
  });

  it("is of the run: another attempt begins with it, and is not told of it as new", () => {
    const run = table(["ada", "bob"], { maxRestarts: 1 });
    run.send(say("Use Rust."));
    for (const id of ["ada", "bob"]) run.answer(id, `by ${id}`);
    for (const id of ["ada", "bob"]) run.vote(id, "agent1");
    run.send({ type: "presented", agent: "ada", content: "final" });
    const round = run.state.evaluation?.round ?? -1;
    run.send({ type: "evaluated", agent: "ada", round, verdict: "restart", reason: "not in Rust", instructions: "" });
    expect(run.state.attempt).toBe(2);
    expect(texts(heardInputs(run.state, "bob"))).toEqual(["Use Rust."]);
    expect(run.of("input_delivered")).toHaveLength(2);
  });
});

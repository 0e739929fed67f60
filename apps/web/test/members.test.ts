import type { ProviderState } from "@massgen/client";
import { describe, expect, it } from "vitest";
import { addMember, firstTeam, type Member, providersFor, removeMember, startModel } from "../src/parts/setup/members.js";

const provider = (type: string, key: ProviderState["key"], models: readonly string[] = [`${type}-1`, `${type}-2`]): ProviderState => ({
  type,
  name: type,
  variable: key === "none" ? null : `${type.toUpperCase()}_API_KEY`,
  key,
  from: key === "set" ? "keyFile" : null,
  local: key === "none",
  models: [...models],
});
const short = (members: readonly Member[]): readonly string[] => members.map(({ id, type, model }) => `${id} ${type} ${model}`);

describe("the form of a team", () => {
  it("offers those that can be asked now first, and none twice", () => {
    const all = [provider("a", "missing"), provider("b", "set"), provider("chatcompletion", "set"), provider("c", "none")];
    expect(providersFor(all).map(({ type }) => type)).toEqual(["b", "a", "c"]);
  });

  it.each([
    ["two keys: two vendors", [provider("a", "set"), provider("b", "missing"), provider("c", "set")], ["agent_a a a-1", "agent_b c c-1"]],
    ["one key: two of its models", [provider("a", "missing"), provider("b", "set")], ["agent_a b b-1", "agent_b b b-2"]],
    ["one key with one model: it twice", [provider("a", "set", ["only"])], ["agent_a a only", "agent_b a only"]],
    ["no key: somebody to begin with", [provider("a", "missing")], ["agent_a a a-1", "agent_b a a-2"]],
    ["nobody whose models are known", [provider("a", "set", [])], []],
  ] as const)("begins with %s", (_, providers, members) => {
    expect(short(firstTeam(providers))).toEqual(members);
  });

  it("adds a vendor that is not there yet, and names everybody by their place", () => {
    const providers = [provider("a", "set"), provider("b", "set"), provider("c", "set")];
    const three = addMember(firstTeam(providers), providers);
    expect(short(three)).toEqual(["agent_a a a-1", "agent_b b b-1", "agent_c c c-1"]);
    expect(short(removeMember(three, 0))).toEqual(["agent_a b b-1", "agent_b c c-1"]);
    expect(addMember([], [])).toEqual([]);
  });

  it("knows a model to begin with, where one is known", () => {
    expect([startModel([provider("a", "set")], "a"), startModel([], "a")]).toEqual(["a-1", ""]);
  });
});

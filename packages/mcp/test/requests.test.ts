import { join } from "node:path";
import { expect, it } from "vitest";
import type { Elicitation } from "../src/index.js";
import { fixtures, serverOf, textOf, tryHub } from "./try-hub.js";

const server = serverOf({ name: "asking" }, ["node", join(fixtures, "asking-server.mjs")]);

it("T5.10: sampling and roots are neither announced nor granted; nobody there, and a question is declined", async () => {
  const hub = await tryHub([server]);
  const ask = async (what: string): Promise<unknown> => JSON.parse(textOf(await hub.call("mcp__asking__ask", { ask: what })));
  expect(await ask("capabilities")).toEqual({});
  expect(await ask("sampling")).toMatchObject({ message: expect.stringContaining("does not lend its models") });
  expect(await ask("roots")).toMatchObject({ message: expect.stringContaining("Roots are not told") });
  expect(await ask("form")).toEqual({ action: "decline" });
  expect(hub.lines).toContain("asking warning its request elicitation/create was refused");
});

it("arguments that do not fit their schema are not sent; a result that does not fit is handed on, and told in the log", async () => {
  const hub = await tryHub([server]);
  expect(textOf(await hub.call("mcp__asking__ask", {}))).toBe(
    "The arguments of mcp__asking__ask were not sent: they must have required property 'ask'.",
  );
  expect(textOf(await hub.call("mcp__asking__ask", { ask: "promise" }))).toContain('"count": "two"');
  expect(hub.lines).toContain("asking warning a result of ask is not what it promised: count must be integer");
});

it("a question reaches the person, and the answer the server; one for a secret is declined unasked", async () => {
  const questions: Elicitation[] = [];
  const hub = await tryHub([server], {
    elicit: async (question) => {
      questions.push(question);
      return { action: "accept", content: { colour: "red" } };
    },
  });
  const ask = async (what: string): Promise<unknown> => JSON.parse(textOf(await hub.call("mcp__asking__ask", { ask: what })));
  expect(await ask("form")).toEqual({ action: "accept", content: { colour: "red" } });
  expect(await ask("secret")).toEqual({ action: "decline" });
  expect(questions).toEqual([
    { server: "asking", message: "Which one?", asks: { kind: "form", fields: { colour: { type: "string" } }, required: [] } },
  ]);
});

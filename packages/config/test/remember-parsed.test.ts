import { expect, test } from "vitest";
import { createRememberingParser } from "../src/node/remember-parsed.js";
import { type LoadedConfig, parseConfig } from "../src/parse-config.js";

const team = (model: string): string => `agent: {id: solo, backend: {type: openai, model: "${model}"}}\n`;
const file = "team.yaml";
const named = team(`\${MODEL}`);
const env = { OPENAI_API_KEY: "sk-one", MODEL: "gpt-5-nano" };

/** All but the lookup of positions, which is a function and equal only to itself. */
const data = ({ positions: _, ...rest }: LoadedConfig): unknown => rest;

test("the same text in an environment of the same values is parsed once", () => {
  const parse = createRememberingParser();
  const first = parse(team("gpt-5-nano"), { file, env });
  expect(data(first)).toEqual(data(parseConfig(team("gpt-5-nano"), { file, env })));
  expect(parse(team("gpt-5-nano"), { file, env: { ...env } })).toBe(first);
});

test.each([
  ["another text", team("gpt-5-mini"), { file, env }],
  ["another name of the file, which messages have", named, { file: "other.yaml", env }],
  ["another value of a variable", named, { file, env: { ...env, MODEL: "gpt-5-mini" } }],
  ["no environment", named, { file }],
  ["overrides", named, { file, env, overrides: { model: "gpt-5-mini" } }],
])("%s is never answered with what was kept", (_what, text, options) => {
  const parse = createRememberingParser();
  const before = parse(named, { file, env });
  expect(data(parse(text, options))).toEqual(data(parseConfig(text, options)));
  expect(data(parse(text, options))).not.toEqual(data(before));
  expect(parse(named, { file, env })).toBe(before);
});

test("a key that is changed in the environment itself is seen", () => {
  const parse = createRememberingParser();
  const live: Record<string, string> = { ...env };
  const before = parse(named, { file, env: live });
  live["MODEL"] = "gpt-5-mini";
  expect(parse(named, { file, env: live }).config?.agents[0]).not.toEqual(before.config?.agents[0]);
});

test("only the few asked for last are kept, and no large ones", () => {
  const parse = createRememberingParser();
  const first = parse(team("gpt-5-nano"), { file, env });
  for (let index = 0; index < 8; index += 1) parse(team(`m-${String(index)}`), { file, env });
  expect(parse(team("gpt-5-nano"), { file, env })).not.toBe(first);
  const large = `${team("gpt-5-nano")}# ${"x".repeat(70_000)}\n`;
  expect(parse(large, { file, env })).not.toBe(parse(large, { file, env }));
});

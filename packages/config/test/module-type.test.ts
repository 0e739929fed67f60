import { describe, expect, it } from "vitest";
import { namesModule, quickConfig, validateConfig } from "../src/index.js";

describe("a type that names a module", () => {
  it.for([
    "npm:massgen-parrot",
    "npm:@birds/parrot",
    "npm:parrot/adapter",
    "@birds/parrot",
    "./parrot.mjs",
    "../a/parrot.mjs",
    "/opt/parrot.mjs",
  ])("%s is let through as it is, with a model or without", (type) => {
    const { config, issues } = validateConfig({ agent: { id: "ada", backend: { type: ` ${type} `, feathers: 9 } } });
    expect(issues).toEqual([]);
    expect(config?.agents[0]?.backend).toMatchObject({ type, model: null, params: { feathers: 9 } });
    expect(quickConfig({ backend: type, model: "grey" }).config?.agents[0]?.backend).toMatchObject({ type, model: "grey" });
  });

  it.for([
    "grok2",
    "openai/gpt-5",
    "massgen-parrot",
    "npm:",
    "npm:.",
    "@birds",
    "@birds/",
    "./",
    ".hidden",
    "https://a.b/c.mjs",
    "file:///a.mjs",
    "npm: x",
    "",
  ])("%j names none and is told", (type) => {
    expect(namesModule(type)).toBe(false);
    const { config, issues } = validateConfig({ agent: { id: "ada", backend: { type, model: "m" } } });
    expect(config).toBeNull();
    expect(issues.map(({ code }) => code)).toContain("CFG030");
  });
});

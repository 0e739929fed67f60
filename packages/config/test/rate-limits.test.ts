import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtInRateLimits, parseRateLimits, rateLimitsOf, validateConfig } from "../src/index.js";
import { loadRateLimits } from "../src/node/index.js";

describe("the rate limit file", () => {
  const table = parseRateLimits("openai: {gpt-5: {rpm: 1}, gpt-5-mini: {rpm: 2}, default: {rpd: 3}}", "f.yaml");

  it.each([
    ["gpt-5", { rpm: 1 }],
    ["gpt-5-mini-2026", { rpm: 2 }],
    ["o9", { rpd: 3 }],
  ])("gives %s the limits of its name, the longest name within it, or the default", (model, limits) => {
    expect(rateLimitsOf(table, "openai", model)).toEqual(limits);
    expect(rateLimitsOf(table, "gemini", model)).toBeNull();
  });

  it.each([
    ["nobody: {}", '"nobody" is no provider type'],
    ["openai: {m: {rpm: 0}}", "openai.m.rpm must be a whole number above 0"],
    ["openai: {m: {rps: 1}}", 'unknown key "rps"'],
    ["- 1", "the file must be a map"],
    ["a: [", "no YAML"],
  ])("is refused when wrong: %s", (text, message) => {
    expect(() => parseRateLimits(text, "f.yaml")).toThrow(message);
  });

  it("is that of the project, else of the user, else built in", async () => {
    const root = await mkdtemp(join(tmpdir(), "massgen-limits-"));
    const [cwd, home] = [join(root, "cwd"), join(root, "home")];
    try {
      expect(await loadRateLimits({ cwd, home })).toBe(builtInRateLimits);
      for (const [folder, rpm] of [
        [home, 5],
        [cwd, 6],
      ] as const) {
        await mkdir(join(folder, ".massgen"), { recursive: true });
        await writeFile(join(folder, ".massgen", "rate_limits.yaml"), `openai: {default: {rpm: ${rpm}}}`);
        expect(rateLimitsOf(await loadRateLimits({ cwd, home }), "openai", "m")).toEqual({ rpm });
      }
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it("acts for agents that enable it, and with the flag for all", () => {
    const agents = [true, false].map((on, index) => ({ id: `a${index}`, backend: { type: "openai", model: "m", enable_rate_limit: on } }));
    const limited = (overrides: { readonly rateLimit?: boolean }) =>
      validateConfig({ agents }, { overrides }).config?.agents.map(({ backend }) => backend.rateLimited);
    expect(limited({})).toEqual([true, false]);
    expect(limited({ rateLimit: true })).toEqual([true, true]);
  });
});

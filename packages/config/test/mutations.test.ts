import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import {
  explainConfig,
  formatIssues,
  issuesAsJson,
  type LoadedConfig,
  parseConfig,
  selectValues,
  shownConfig,
  validateConfig,
} from "../src/index.js";
import { damage, damageText, seeded } from "./mutations.js";
import { sampleObjects, sampleTexts } from "./sample-configs.js";

const ROUNDS = 400;
const EMPTY_FILE = "CFG007";

/** A run that may start, or errors that say where: never anything in between. */
function expectPlainTalk(loaded: LoadedConfig, text: string): void {
  const errors = loaded.issues.filter((issue) => issue.severity === "error");
  expect(loaded.config === null, text).toBe(errors.length > 0);
  const lines = text.split("\n");
  for (const issue of errors) {
    // An empty file has no place to point at.
    if (issue.code === EMPTY_FILE) continue;
    expect(issue.span, `${issue.message}\n${text}`).not.toBeNull();
    expect(issue.span!.line).toBeLessThanOrEqual(lines.length);
    expect(issue.message).not.toMatch(/undefined|\[object|TypeError| {4}at /);
  }
  const report = formatIssues(loaded.issues, { source: loaded.source });
  expect(report).not.toMatch(/^\s+at \S+ \(|undefined|\[object Object\]/m);
  expect(report).not.toContain("sk-abcdefghijklmnop");
  expect(issuesAsJson(loaded.issues).valid).toBe(loaded.config !== null);
}

describe("a valid config, damaged at random", () => {
  it("as a tree: a config, or errors that say where", () => {
    const pick = seeded(1);
    for (let round = 0; round < ROUNDS; round++) {
      const text = stringify(damage(sampleObjects[pick(sampleObjects.length)], pick), { aliasDuplicateObjects: false });
      expectPlainTalk(parseConfig(text, { file: "team.yaml" }), text);
    }
  }, 60_000);

  it("as a text: a config, or errors that say where", () => {
    const pick = seeded(2);
    for (let round = 0; round < ROUNDS; round++) {
      const text = damageText(sampleTexts[pick(sampleTexts.length)]!, pick);
      expectPlainTalk(parseConfig(text, { file: "team.yaml" }), text);
    }
  }, 60_000);

  it("in memory: a config, or errors that name the key", () => {
    const pick = seeded(3);
    for (let round = 0; round < ROUNDS; round++) {
      const { config, issues } = validateConfig(damage(sampleObjects[pick(sampleObjects.length)], pick));
      const errors = issues.filter((issue) => issue.severity === "error");
      expect(config === null).toBe(errors.length > 0);
      for (const { code, path } of errors) expect(path !== "" || code === "CFG020" || code === "CFG007").toBe(true);
    }
  }, 60_000);

  it("explains every config that is left, each path once, whatever path is asked for", () => {
    const pick = seeded(4);
    let explained = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const loaded = parseConfig(stringify(damage(sampleObjects[pick(sampleObjects.length)], pick), { aliasDuplicateObjects: false }));
      const values = explainConfig(loaded, { NOPE: "a-secret-of-the-environment" });
      const paths = values.map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
      expect(paths.length > 0).toBe(loaded.config !== null);
      for (const path of paths.slice(0, 20)) expect(selectValues(values, path).is).toBe("found");
      expect(JSON.stringify([values, shownConfig(loaded)])).not.toMatch(/sk-abcdef|a-secret-of/);
      explained += paths.length > 0 ? 1 : 0;
      if (round % 20 !== 0) continue;
      for (const path of ["agents[", "agents.", "agents[0", "", ".", "__proto__", "日本語", "agents.9.id"]) selectValues(values, path);
    }
    expect(explained).toBeGreaterThan(ROUNDS / 10);
  }, 60_000);
});

import { describe, expect, it } from "vitest";
import { validateConfig } from "../src/index.js";
import { backendKeys } from "../src/keys/backend.js";
import { configOf, surveyRows } from "./survey-rows.js";

describe("key paths in use", () => {
  const given = new Set(["agents[]", "agents[].backend", "agents[].id", "agents[].backend.type", "agents[].backend.model"]);
  const loaded = surveyRows
    .filter(({ path }) => !given.has(path))
    .map((row) => ({ path: row.path, issues: validateConfig(configOf(row)).issues }));

  it("are all known", () => {
    expect(loaded.filter(({ issues }) => issues.some((issue) => /unknown key/.test(issue.message)))).toEqual([]);
    const ofBackend = surveyRows.map(({ path }) => /^agents\[\]\.backend\.(\w+)/.exec(path)?.[1]).filter((key) => key !== undefined);
    expect(ofBackend.filter((key) => !(key in backendKeys.keys))).toEqual([]);
    expect(surveyRows.length).toBeGreaterThan(400);
  });

  it("never stop a run, built or not", () => {
    expect(loaded.filter(({ issues }) => issues.some((issue) => issue.severity === "error"))).toEqual([]);
  });
});

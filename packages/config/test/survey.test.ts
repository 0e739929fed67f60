import { describe, expect, it } from "vitest";
import { validateConfig } from "../src/index.js";
import { isEmpty, type KeySpec, type KeyTable } from "../src/key-table.js";
import { backendKeys } from "../src/keys/backend.js";
import { topTable } from "../src/keys/sections.js";
import type { PlainValue } from "../src/tree.js";
import { configOf, type SurveyRow, surveyRows } from "./survey-rows.js";

/** What the tables say of the key of a row, and a config in which the sections around it are switched on. */
function switchedOn(row: SurveyRow): { readonly config: unknown; readonly value: unknown; readonly spec: KeySpec | undefined } {
  const config = configOf(row);
  let value: unknown = config;
  let table: KeyTable | undefined = topTable;
  let spec: KeySpec | undefined;
  for (const step of row.path.split(".")) {
    const key = step.replace("[]", "");
    const map = value as Record<string, unknown>;
    if (table !== undefined && "enabled" in table.keys && key !== "enabled") map["enabled"] = true;
    value = map[key];
    spec = table !== undefined && Object.hasOwn(table.keys, key) ? table.keys[key] : undefined;
    table = step.endsWith("[]") ? spec?.each?.() : spec?.keys?.();
    if (step.endsWith("[]")) value = (value as unknown[])[0];
  }
  return { config, value, spec };
}

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

  it("work, are accepted without effect as elsewhere, or are named in a warning that says what is different", () => {
    const rows = surveyRows.filter(({ path }) => !given.has(path)).map((row) => ({ path: row.path, ...switchedOn(row) }));
    const silent = rows.filter(({ config, spec, value }) => {
      if (spec?.support.is !== "ignored" || value === undefined || (spec.isOff ?? isEmpty)(value as PlainValue)) return false;
      return !validateConfig(config).issues.some(({ code, message }) => code === "CFG120" && message.includes("ignored: "));
    });
    expect(silent.map(({ path }) => path)).toEqual([]);
    expect(rows.filter(({ spec }) => spec?.support.is === "refused").map(({ path }) => path)).toEqual([]);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validateConfig } from "../src/index.js";
import { backendKeys } from "../src/keys/backend.js";

/** A config that has the key at `path`, and around it only what every config needs. */
function configWith(path: string, value: unknown): unknown {
  const type = typeFor(path);
  const config: Record<string, unknown> = { agents: [{ id: "one", backend: { type, model: "some-model" } }] };
  let at: Record<string, unknown> = config;
  const steps = path.split(".");
  for (const [index, step] of steps.entries()) {
    const key = step.replace("[]", "");
    const last = index === steps.length - 1;
    if (step.endsWith("[]")) {
      at[key] ??= [{}];
      at = (at[key] as Record<string, unknown>[])[0]!;
    } else if (last) {
      if (!(key in at) || value !== undefined) at[key] = value;
    } else {
      at[key] ??= {};
      at = at[key] as Record<string, unknown>;
    }
  }
  return config;
}

const samples: Record<string, unknown> = { string: "x", int: 1, float: 0.5, bool: true, map: {}, list: [], any: undefined };

const rows = readFileSync(new URL("./fixtures/survey-paths.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t") as [path: string, kind: string, seen?: string]);

const sampleOf = (kind: string, seen: string | undefined): unknown => {
  if (seen === undefined || seen === "") return samples[kind];
  if (kind === "int" || kind === "float") return Number(seen);
  return kind === "bool" ? seen === "true" : seen;
};

/** Some keys are only for one provider; the rest is tried with any. */
function typeFor(path: string): string {
  if (/agent_config|group_config/.test(path)) return "ag2";
  if (path.includes("permission_mode")) return "claude_code";
  if (/api_version|deployment_name/.test(path)) return "azure_openai";
  if (/tool_search|strict_tool_use/.test(path)) return "claude";
  if (/enable_code_(execution|interpreter)/.test(path)) return "openai";
  return path.endsWith(".port") ? "lmstudio" : "openrouter";
}

describe("key paths in use", () => {
  const given = new Set(["agents[]", "agents[].backend", "agents[].id", "agents[].backend.type", "agents[].backend.model"]);
  const loaded = rows
    .filter(([path]) => !given.has(path))
    .map(([path, kind, seen]) => ({ path, issues: validateConfig(configWith(path, sampleOf(kind, seen))).issues }));

  it("are all known", () => {
    expect(loaded.filter(({ issues }) => issues.some((issue) => /unknown key/.test(issue.message)))).toEqual([]);
    const ofBackend = rows.map(([path]) => /^agents\[\]\.backend\.(\w+)/.exec(path)?.[1]).filter((key) => key !== undefined);
    expect(ofBackend.filter((key) => !(key in backendKeys.keys))).toEqual([]);
    expect(rows.length).toBeGreaterThan(400);
  });

  it("never stop a run, built or not", () => {
    expect(loaded.filter(({ issues }) => issues.some((issue) => issue.severity === "error"))).toEqual([]);
  });
});

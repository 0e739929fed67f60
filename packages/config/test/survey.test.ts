import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validateConfig } from "../src/index.js";

/** A config that has the key at `path`, and around it only what every config needs. */
function configWith(path: string, value: unknown): unknown {
  const type = /agent_config|group_config/.test(path) ? "ag2" : path.includes("permission_mode") ? "claude_code" : path.endsWith(".port") ? "lmstudio" : /api_version|deployment_name/.test(path) ? "azure_openai" : "openrouter";
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

describe("key paths in use", () => {
  it.each(rows.filter(([path]) => path !== "agents[].backend" && path !== "agents[]"))("%s is known, and no reason to stop", (path, kind, seen) => {
    if (/^agents\[\]\.(id|backend\.type|backend\.model)$/.test(path)) return;
    const { issues } = validateConfig(configWith(path, sampleOf(kind, seen)), { env: { AZURE_OPENAI_API_KEY: "k" } });
    expect(issues.filter((issue) => /unknown key/.test(issue.message))).toEqual([]);
    expect(issues.filter((issue) => issue.severity === "error")).toEqual([]);
  });

  it("covers several hundred paths", () => {
    expect(rows.length).toBeGreaterThan(330);
  });
});

import { readFileSync } from "node:fs";

export interface SurveyRow {
  readonly path: string;
  readonly kind: string;
  readonly seen?: string | undefined;
}

/** Every key path found in configs in use, with the kind of its value and, for some, a value that was seen. */
export const surveyRows: readonly SurveyRow[] = readFileSync(new URL("./fixtures/survey-paths.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [path = "", kind = "", seen] = line.split("\t");
    return { path, kind, seen };
  });

/** A config that has the key at `path`, and around it only what every config needs. */
export function configOf({ path, kind, seen }: SurveyRow): unknown {
  return configWith(path, sampleOf(kind, seen));
}

function configWith(path: string, value: unknown): unknown {
  const type = typeFor(path);
  const cwd = type === "claude_code" ? { cwd: "workspace" } : {};
  const config: Record<string, unknown> = { agents: [{ id: "one", backend: { type, model: "some-model", ...cwd } }] };
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
  completeServer(config);
  completeEvaluator(config);
  return config;
}

/** Keys of the round evaluator are refused without each other, by everybody. */
function completeEvaluator(config: Record<string, unknown>): void {
  const coordination = (config["orchestrator"] as Record<string, unknown> | undefined)?.["coordination"];
  if (typeof coordination !== "object" || coordination === null) return;
  if (!Object.keys(coordination).some((key) => /round_evaluator_(before|refine)|managed_round_evaluator|trace_analyzer/.test(key))) return;
  Object.assign(coordination, {
    orchestrator_managed_round_evaluator: true,
    round_evaluator_before_checklist: true,
    enable_subagents: true,
    subagent_orchestrator: { enabled: true },
    subagent_types: ["round_evaluator"],
  });
}

/** Of a server only its keys are tried; what every server needs is there. */
function completeServer(config: Record<string, unknown>): void {
  const backend = (config["agents"] as { backend: Record<string, unknown> }[])[0]!.backend;
  for (const servers of [config["mcp_servers"], backend["mcp_servers"]]) {
    const server: unknown = Array.isArray(servers) ? servers[0] : null;
    if (typeof server !== "object" || server === null) continue;
    const map = server as Record<string, unknown>;
    map["name"] ??= "one";
    if ("url" in map) Object.assign(map, { type: "streamable-http", url: "https://mcp.example.com/mcp" });
    else map["command"] = "npx";
    const env = map["env"] as Record<string, unknown> | undefined;
    if (env !== undefined && "*" in env) map["env"] = { NAME: env["*"] ?? "x" };
  }
}

const samples: Record<string, unknown> = { string: "x", int: 1, float: 0.5, bool: true, map: {}, list: [], any: undefined };

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

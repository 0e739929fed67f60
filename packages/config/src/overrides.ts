import { fromObject } from "./from-object.js";
import { ensureMap } from "./move-keys.js";
import { providerOf } from "./providers/catalogue.js";
import type { Reporter } from "./reporter.js";
import { child, type ListNode, type MapNode, type PlainValue, type ScalarValue, scalar } from "./tree.js";

/** What flags say. They win over the file; what is absent leaves the file alone. */
export interface ConfigOverrides {
  readonly orchestratorTimeoutSeconds?: number;
  /** The next three are for the agent of a one-agent config; with several agents they are error CFG130. */
  readonly model?: string;
  readonly baseUrl?: string;
  readonly systemMessage?: string;
  /** Keeps one agent: the named one, else the first. */
  readonly singleAgent?: string | true;
  /** `parallel` is what files call `voting`. */
  readonly coordinationMode?: "parallel" | "decomposition";
  /** One answer each, and no more calls than it takes to make one of them. */
  readonly quick?: boolean;
  readonly displayType?: string;
  readonly loggingEnabled?: boolean;
  readonly automationMode?: boolean;
  readonly debug?: boolean;
  readonly record?: boolean;
  /** For all agents. */
  readonly rateLimit?: boolean;
  /** Besides those of the file. Where no agent has files, all get a workspace to read them from. */
  /** Gives every agent without a folder of its own one. */
  readonly filesystem?: boolean;
  readonly contextPaths?: readonly (string | { readonly [key: string]: PlainValue })[];
}

/** The agents that take part when flags have had their say; the tree follows. */
export function keepAgents(
  root: MapNode,
  agents: readonly MapNode[],
  { singleAgent }: ConfigOverrides,
  reporter: Reporter,
): readonly MapNode[] {
  if (singleAgent === undefined || agents.length === 0) return agents;
  const idOf = (agent: MapNode): unknown => {
    const id = agent.entries.get("id");
    return id?.kind === "scalar" ? id.value : undefined;
  };
  const kept = singleAgent === true ? agents.slice(0, 1) : agents.filter((agent) => idOf(agent) === singleAgent);
  if (kept.length === 0) {
    const ids = agents.map(idOf).filter((id) => typeof id === "string");
    reporter.reportRange("CFG130", null, `no agent of this config is called ${JSON.stringify(singleAgent)}`, `Agents: ${ids.join(", ")}.`);
    return agents;
  }
  root.entries.set("agents", { kind: "list", items: [...kept], keyRange: null, range: null, parent: root, step: "agents" });
  forgetPresenter(root, agents.filter((agent) => !kept.includes(agent)).map(idOf));
  return kept;
}

/** Who is left out by a flag cannot present; that is no mistake of the file. */
function forgetPresenter(root: MapNode, dropped: readonly unknown[]): void {
  const orchestrator = root.entries.get("orchestrator");
  const presenter = orchestrator?.kind === "map" ? orchestrator.entries.get("presenter_agent") : undefined;
  if (orchestrator?.kind === "map" && presenter?.kind === "scalar" && dropped.includes(presenter.value))
    orchestrator.entries.delete("presenter_agent");
}

/** What `--quick` stands for (docs/spec/cli.md 3.3). */
function applyQuick(root: MapNode, agents: readonly MapNode[]): void {
  put(root, "orchestrator", "max_new_answers_per_agent", 1);
  put(root, "orchestrator", "skip_final_presentation", true);
  if (agents.length === 1) put(root, "orchestrator", "skip_voting", true);
  else {
    put(root, "orchestrator", "disable_injection", true);
    put(root, "orchestrator", "defer_voting_until_all_answered", true);
    put(root, "orchestrator", "final_answer_strategy", "synthesize");
  }
}

/** Writes the overrides into the tree before it is checked, so that they answer to the same rules. */
export function applyOverrides(root: MapNode, agents: readonly MapNode[], overrides: ConfigOverrides, reporter: Reporter): void {
  put(root, "timeout_settings", "orchestrator_timeout_seconds", overrides.orchestratorTimeoutSeconds);
  const { coordinationMode, quick } = overrides;
  put(root, "orchestrator", "coordination_mode", coordinationMode === "parallel" ? "voting" : coordinationMode);
  if (quick === true) applyQuick(root, agents);
  put(root, "ui", "display_type", overrides.displayType);
  put(root, "ui", "logging_enabled", overrides.loggingEnabled);
  put(root, "ui", "automation_mode", overrides.automationMode);
  put(root, "ui", "debug", overrides.debug);
  put(root, "orchestrator", "record", overrides.record);
  for (const agent of agents) put(agent, "backend", "enable_rate_limit", overrides.rateLimit);
  if (overrides.filesystem === true) giveFolders(agents);
  if (overrides.contextPaths !== undefined && overrides.contextPaths.length > 0)
    addContextPaths(root, agents, overrides.contextPaths, reporter);
  overrideAgent(agents, overrides, reporter);
}

function addContextPaths(
  root: MapNode,
  agents: readonly MapNode[],
  paths: NonNullable<ConfigOverrides["contextPaths"]>,
  reporter: Reporter,
): void {
  const orchestrator = ensureMap(root, "orchestrator");
  const own = orchestrator?.entries.get("context_paths");
  // What stands in the place of a list is told by the checks.
  if (orchestrator === null || (own !== undefined && own.kind !== "list")) return;
  const added = fromObject({ paths }, reporter)?.entries.get("paths");
  const place = { keyRange: null, range: null, parent: orchestrator, step: "context_paths" };
  const list: ListNode = { kind: "list", items: [...(own?.items ?? []), ...(added?.kind === "list" ? added.items : [])], ...place };
  orchestrator.entries.set("context_paths", { ...list, keyRange: own?.keyRange ?? null, range: own?.range ?? null });
  if (!agents.some(hasFolder)) giveFolders(agents);
}

const hasFolder = (agent: MapNode): boolean => child(child(agent, "backend"), "cwd") !== undefined;

function giveFolders(agents: readonly MapNode[]): void {
  for (const agent of agents) if (!hasFolder(agent)) put(agent, "backend", "cwd", "workspace");
}

function overrideAgent(agents: readonly MapNode[], { model, baseUrl, systemMessage }: ConfigOverrides, reporter: Reporter): void {
  if (model === undefined && baseUrl === undefined && systemMessage === undefined) return;
  const agent = agents[0];
  if (agent === undefined) return;
  if (agents.length > 1) {
    const given = [model !== undefined && "model", baseUrl !== undefined && "base URL", systemMessage !== undefined && "system message"]
      .filter(Boolean)
      .join(", ");
    reporter.reportRange(
      "CFG130",
      null,
      `the ${given} from the command line fits a config of one agent, and this one has ${agents.length}`,
      "Leave the flags out, or change the file.",
    );
    return;
  }
  put(agent, "backend", "model", model === undefined ? undefined : withoutOwnProvider(agent, model));
  put(agent, "backend", "base_url", baseUrl);
  if (systemMessage !== undefined) agent.entries.set("system_message", scalar(systemMessage, agent, "system_message"));
}

/** `groq/llama-…` for an agent of type groq means `llama-…`; any other slash is part of the name. */
function withoutOwnProvider(agent: MapNode, model: string): string {
  const backend = agent.entries.get("backend");
  const type = backend?.kind === "map" ? backend.entries.get("type") : undefined;
  const slash = model.indexOf("/");
  const named = slash > 0 ? providerOf(model.slice(0, slash)) : null;
  return named !== null && type?.kind === "scalar" && type.value === named.type ? model.slice(slash + 1) : model;
}

function put(parent: MapNode, section: string, key: string, value: ScalarValue | undefined): void {
  if (value === undefined) return;
  const map = ensureMap(parent, section);
  map?.entries.set(key, scalar(value, map, key));
}

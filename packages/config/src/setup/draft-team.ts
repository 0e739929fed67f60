import { resolveApiKey } from "../providers/resolve-api-key.js";
import type { AgentDraft, McpServerDraft, TeamDraft } from "../write/write-team.js";

/** A provider that can be asked, and models of it to start with, best first. */
export interface Starters {
  readonly type: string;
  readonly starters: readonly string[];
}

/** Who takes part, before it is said what they may do. */
export interface Member {
  readonly id?: string;
  readonly type: string;
  readonly model: string;
  readonly reasoningEffort?: string;
}

/** What the team may do besides answering. */
export interface Abilities {
  /** Files of their own; `read` and `write`: and the folder of the user's. */
  readonly files: "none" | "own" | "read" | "write";
  /** The folder of `read` and `write`. Default: the one massgen is started in. */
  readonly folder?: string;
  /** Only with files. */
  readonly commands: "none" | "sandbox" | "container";
  readonly mcpServers?: readonly McpServerDraft[];
  /** Tools that the provider runs, where it has them. */
  readonly webSearch: boolean;
  readonly codeExecution: boolean;
}

export const onlyAnswers: Abilities = { files: "none", commands: "none", webSearch: false, codeExecution: false };

const SEARCHES = ["openai", "grok", "claude", "gemini", "openrouter"];
const EXECUTES = ["openai", "grok", "claude", "gemini"];
export const EFFORTS = ["low", "medium", "high"] as const;

/** Whether a person can say how hard a model thinks, in one word. */
export const takesEffort = (type: string, model: string): boolean => type === "openai" && /^(?:gpt-5|o\d)/.test(model);

/** A team of `count` from what is there: each provider in turn, another model of it the second time round. */
export function suggestTeam(ready: readonly Starters[], count: number): readonly Member[] {
  const [first] = ready;
  if (first === undefined) return [];
  return Array.from({ length: count }, (_, place) => {
    const provider = ready[place % ready.length] ?? first;
    const turn = Math.floor(place / ready.length);
    return { type: provider.type, model: provider.starters[turn % provider.starters.length] ?? "" };
  });
}

/** The team as it is written. Agents without an id are `agent_a`, `agent_b`, …; tools a provider lacks are left out for its agents. */
export function draftTeam(members: readonly Member[], abilities: Abilities): TeamDraft {
  const { files, folder = ".", commands, webSearch, codeExecution, mcpServers } = abilities;
  const agents = members.map(
    ({ id, type, model, reasoningEffort }, place): AgentDraft => ({
      id: id ?? `agent_${String.fromCharCode(97 + place)}`,
      type,
      model,
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
      ...(webSearch && SEARCHES.includes(type) ? { webSearch } : {}),
      ...(codeExecution && EXECUTES.includes(type) ? { codeExecution } : {}),
      ...(files === "none" ? {} : { files: true, ...(commands === "none" ? {} : { commands }) }),
      ...(mcpServers === undefined ? {} : { mcpServers }),
    }),
  );
  return { agents, ...(files === "read" || files === "write" ? { contextPaths: [{ path: folder, permission: files }] } : {}) };
}

/** One line on a team, for the head of its file and for lists. */
export function describeTeam({ agents }: Pick<TeamDraft, "agents">): string {
  const keys = agents.flatMap(({ type }) => {
    const { needed, variables } = resolveApiKey({ type }, {});
    return needed ? [variables.join(" or ")] : [];
  });
  const named = [...new Set(keys)];
  const size = agents.length === 1 ? "One agent" : `${agents.length} agents`;
  const needs = named.length === 0 ? "" : ` ${named.length === 1 ? "Key" : "Keys"}: ${named.join(", ")}.`;
  return `${size}: ${agents.map(({ type, model }) => `${type}/${model}`).join(", ")}.${needs}`;
}

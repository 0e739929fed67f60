import { listPrices, type ModelPrice, type PriceTable, priceOf } from "@massgen/backend-kit";
import { type AgentConfig, type MassgenConfig, namesModule, providerOf } from "@massgen/config";
import type { AgentId } from "@massgen/contracts";
import { defaultPolicy, type Policy } from "@massgen/kernel";
import { modeFromConfig } from "../mode-from-config.js";
import { policyFromConfig } from "../policy-from-config.js";
import type { ForecastSubject } from "./forecast.js";

export interface SubjectOptions {
  /** The config as its user wrote it, not the one of its stand-ins. */
  readonly config: MassgenConfig;
  /** What the stand-in of each agent was sent; agents that were not asked are left out. */
  readonly seen: ReadonlyMap<AgentId, SeenPrompt>;
  /** Of the user; `null` for the built-in ones. */
  readonly prices: PriceTable | null;
}

/** What an agent's model is sent before anything has happened. */
export interface SeenPrompt {
  readonly tokens: number;
  /** Names of all its tools. */
  readonly tools: readonly string[];
}

/** What of a config, and of a run of it with stand-ins, a forecast is made from. */
export function forecastSubject({ config, seen, prices }: SubjectOptions): ForecastSubject {
  const { limits, ...rules } = policyFromConfig(config).policy;
  const policy: Policy = { ...defaultPolicy, ...rules, limits: { ...defaultPolicy.limits, ...limits } };
  const largest = Math.max(0, ...[...seen.values()].map(({ tokens }) => tokens));
  return {
    mode: modeFromConfig(config),
    policy,
    isDivided: config.agents.every(({ subtask }) => subtask !== null),
    agents: config.agents.map((agent) => {
      const { id, backend } = agent;
      const prompt = seen.get(id);
      return {
        id,
        model: backend.model ?? backend.type,
        promptTokens: prompt?.tokens ?? largest,
        maxOutputTokens: backend.maxTokens,
        price: priceFor(agent, prices ?? listPrices),
        isLocal: providerOf(backend.type)?.local === true,
        hasTools: prompt?.tools.some((tool) => !WORKFLOW.has(tool)) ?? agent.hands !== null,
      };
    }),
  };
}

/** Tools that end a piece of work instead of adding to it. */
const WORKFLOW = new Set(["new_answer", "vote", "stop", "submit", "restart_orchestration"]);

const FREE: ModelPrice = { input: 0, output: 0 };

function priceFor({ backend: { type, model } }: AgentConfig, prices: PriceTable): ModelPrice | null {
  if (namesModule(type)) return null;
  if (providerOf(type)?.local === true) return FREE;
  return model === null ? null : priceOf(model, prices);
}

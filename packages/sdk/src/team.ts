// What it takes to know the team, without the engine: for programs that check a config before they load the rest.

export { toPriceFile } from "@massgen/backend-kit";
export { whyUnsupported } from "./backends.js";
export { whyNotReady } from "./build-agents.js";
export { buildConfig, type PlainAgent, type PlainConfig } from "./build-config.js";
export { type FoundConfig, type LoadConfigOptions, loadConfig } from "./load-config.js";
export { loadEnv } from "./load-env.js";
export { loadPrices, pricesFile } from "./load-prices.js";
export type { RunOptions, TeamOptions } from "./options.js";
export {
  type ReferencedPath,
  type ReferencePlaces,
  type ResolvedReferences,
  resolveReferences,
} from "./references/resolve-references.js";
export { type ResolvedTeam, resolveTeam, type TeamPlaces } from "./resolve-team.js";

export type {
  AgentConfig,
  BackendConfig,
  CircuitBreakerConfig,
  CommandsConfig,
  ContextPathConfig,
  CustomToolConfig,
  DockerConfig,
  HandsConfig,
  HookConfig,
  MassgenConfig,
  McpServerConfig,
  OrchestratorConfig,
  TimeoutConfig,
  ToolChoiceConfig,
  UiConfig,
  VotingSensitivity,
} from "./config.js";
export type { Environment } from "./expand.js";
export { type ExplainedValue, explainConfig, type ValueOrigin } from "./explain/explain-config.js";
export { type Selection, selectValues } from "./explain/select-values.js";
export { shownConfig } from "./explain/shown-config.js";
export type { FeatureName } from "./features.js";
export { type FormatOptions, formatIssue, formatIssues, issuesAsJson, type JsonReport } from "./format-issues.js";
export { type ConfigIssue, hasErrors, type IssueCode, type Severity, type SourceSpan, strictIssues } from "./issue.js";
export type { ConfigOverrides } from "./overrides.js";
export { type LoadedConfig, type ParseOptions, parseConfig, type SourceText, strictly, validateConfig } from "./parse-config.js";
export type { GivenValue, PositionIndex } from "./positions.js";
export { addressOf } from "./providers/address-of.js";
export { type ApiFamily, type ProviderEntry, providerNames, providerOf, providers } from "./providers/catalogue.js";
export { type FoundModel, findProvider, nearestModels } from "./providers/find-provider.js";
export { knownModels } from "./providers/models.js";
export { namesModule } from "./providers/module-type.js";
export { displayName, type KeyQuestion, type ResolvedKey, resolveApiKey } from "./providers/resolve-api-key.js";
export { nearModels } from "./providers/resolve-model.js";
export { DEFAULT_SYSTEM_MESSAGE, type QuickOptions, quickConfig } from "./quick-config.js";
export { builtInRateLimits, type ModelRateLimits, parseRateLimits, type RateLimitTable, rateLimitsOf } from "./rate-limits.js";
export { requireConfig } from "./require-config.js";
export { configJsonSchema } from "./schema/json-schema.js";
export { type KeyRow, type KeySection, keySections } from "./schema/key-rows.js";
export type { JsonSchema } from "./schema/named-tables.js";
export {
  type Abilities,
  describeTeam,
  draftTeam,
  EFFORTS,
  type Member,
  onlyAnswers,
  type Starters,
  suggestTeam,
  takesEffort,
} from "./setup/draft-team.js";
export { keyProviders, refuseKey } from "./setup/key-form.js";
export { listProviders, type ProviderRow } from "./setup/list-providers.js";
export type { PlainValue } from "./tree.js";
export { type AgentDraft, type McpServerDraft, type TeamDraft, type TeamFileHead, writeTeam } from "./write/write-team.js";

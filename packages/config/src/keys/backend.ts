import { built, free, ignored, type KeyTable, kept, open, param } from "../key-table.js";
import {
  anything,
  bool,
  count,
  countOrZero,
  factor,
  list,
  map,
  number,
  oneOf,
  seconds,
  secondsOrZero,
  statuses,
  text,
  texts,
  wholeNumber,
} from "../shapes.js";
import { commandKeys } from "./backend-commands.js";
import { mcpKeys } from "./backend-mcp.js";
import { toolKeys } from "./backend-tools.js";
import { uploadKeys } from "./media.js";

const effort = oneOf(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
const claudeCode = { only: ["claude_code"] };
const claude = { only: ["claude"] };
const gemini = { only: ["gemini"] };
const copilot = { only: ["copilot"] };
const cli = { only: ["codex", "gemini_cli", "antigravity_cli"] };

const reasoning: KeyTable = open("CFG042", "CFG033", {
  effort: param(effort, { code: "CFG036" }),
  summary: param(oneOf(["auto", "concise", "detailed"]), { code: "CFG036" }),
  type: param(oneOf(["adaptive", "enabled", "disabled"]), { code: "CFG036" }),
  budget_tokens: param(count),
  max_tokens: param(count),
  exclude: param(bool),
  enabled: param(bool),
});

const textOptions: KeyTable = open("CFG042", "CFG033", {
  verbosity: param(oneOf(["low", "medium", "high"]), { code: "CFG036" }),
  format: param(map),
});

/** Handed to the vendor as written; here so that near misses are noticed and types are checked (docs/spec/config.md 5 and 10). */
const params = {
  temperature: param(number),
  top_p: param(number),
  top_k: param(wholeNumber),
  stop: param(anything),
  seed: param(wholeNumber),
  presence_penalty: param(number),
  frequency_penalty: param(number),
  repetition_penalty: param(number),
  response_format: param(map),
  tool_choice: param(anything),
  user: param(text),
  parallel_tool_calls: param(bool),
  reasoning: param(map, { keys: () => reasoning }),
  text: param(map, { keys: () => textOptions }),
  thinking: param(anything),
  betas: param(texts),
  chat_template_kwargs: param(map),
  separate_reasoning: param(bool),
  previous_response_id: param(text),
  store: param(bool),
  include: param(list),
  background: param(bool),
  service_tier: param(text),
  truncation: param(text),
  metadata: param(map),
  prompt_cache_key: param(text),
  safety_settings: param(anything),
  function_calling_mode: param(oneOf(["AUTO", "ANY", "NONE"]), { code: "CFG036", ...gemini }),
  thinking_config: param(map, gemini),
  include_thoughts: param(bool, gemini),
  gemini_backoff_max_attempts: param(count, gemini),
  gemini_backoff_initial_delay: param(number, gemini),
  gemini_backoff_multiplier: param(number, gemini),
  gemini_backoff_max_delay: param(number, gemini),
  gemini_backoff_jitter: param(number, gemini),
  permission_mode: param(oneOf(["default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"]), {
    code: "CFG036",
    ...claudeCode,
  }),
  max_thinking_tokens: param(count, claudeCode),
  setting_sources: param(texts, claudeCode),
  use_default_prompt: param(bool, claudeCode),
  approval_mode: param(text, cli),
  model_reasoning_effort: param(effort, { code: "CFG036", only: ["codex"] }),
  copilot_system_message_mode: param(oneOf(["append", "replace"]), { code: "CFG036", ...copilot }),
  copilot_permission_policy: param(oneOf(["approve", "deny"]), { code: "CFG036", ...copilot }),
  session_send_timeout_seconds: param(seconds, copilot),
  agent_config: param(map, { keys: () => free, only: ["ag2"] }),
  group_config: param(map, { keys: () => free, only: ["ag2"] }),
};

/** What we act on ourselves. */
const common = {
  type: built(text, { code: "CFG030" }),
  model: built(text, { code: "CFG031" }),
  api_key: built(text),
  base_url: built(text, { code: "CFG032" }),
  max_tokens: built(count),
  timeout: built(seconds),
  extra_body: built(map, { keys: () => free }),
  max_retries: built(countOrZero),
  max_incomplete_response_retries: built(countOrZero),
  organization: built(text),
  api_version: built(text, { only: ["azure_openai"] }),
  deployment_name: built(text, { only: ["azure_openai"] }),
  port: built(count, { only: ["lmstudio"] }),
  provider: param(anything),
  provider_name: built(text),
  agent_id: kept(text),
  instance_id: kept(text),
  session_id: kept(text),
};

const search = {
  enable_web_search: param(bool),
  enable_x_search: param(bool),
  engine: param(oneOf(["exa", "native"]), { code: "CFG036" }),
  max_results: param(count),
  search_prompt: param(text),
  search_context_size: param(oneOf(["low", "medium", "high"]), { code: "CFG036" }),
  enable_code_execution: param(bool),
  enable_code_interpreter: param(bool),
  websocket_mode: ignored("websocket", bool),
  enable_programmatic_flow: ignored("claudeTools", bool),
  enable_tool_search: param(bool),
  enable_strict_tool_use: param(bool, claude),
  tool_search_variant: param(oneOf(["regex", "bm25"]), { code: "CFG036", ...claude }),
  enable_prompt_cache: param(bool, claude),
  output_schema: param(map, { keys: () => free }),
};

const resilience = {
  llm_circuit_breaker_enabled: built(bool),
  llm_circuit_breaker_max_failures: built(count),
  llm_circuit_breaker_reset_time_seconds: built(seconds),
  llm_circuit_breaker_backoff_multiplier: built(factor),
  llm_circuit_breaker_max_backoff_seconds: built(seconds),
  llm_circuit_breaker_retry_after_threshold_seconds: built(secondsOrZero),
  llm_circuit_breaker_retryable_status_codes: built(statuses),
  enable_rate_limit: built(bool),
  debug_delay_seconds: ignored("testAids", number),
  debug_delay_after_n_tools: ignored("testAids", count),
};

export const backendKeys = open("CFG042", "CFG033", {
  ...common,
  ...params,
  ...search,
  ...resilience,
  ...commandKeys,
  ...toolKeys,
  ...mcpKeys,
  ...uploadKeys,
});

/** A backend that only rewrites the question; the same keys as any other. */
export const helperBackend: KeyTable = { ...backendKeys, kind: "open" };

/** Text that belongs to the agent: an error inside `backend` (CFG035). */
export const systemTextKeys: readonly string[] = ["system_prompt", "append_system_prompt"];

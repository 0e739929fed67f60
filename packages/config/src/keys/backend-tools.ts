import { built, closed, free, ignored, type KeyTable, off, refused } from "../key-table.js";
import { anything, bool, count, list, map, text, textOrTexts, texts } from "../shapes.js";
import { hooksKey } from "./hooks.js";

export const customToolKeys = {
  name: built(textOrTexts),
  function: built(textOrTexts),
  func: built(textOrTexts),
  path: built(text),
  category: built(text),
  description: built(textOrTexts),
  preset_args: built(anything, { keys: () => free }),
  default_params: built(anything, { keys: () => free }),
  defer_loading: ignored("customTools", bool),
  strict: ignored("customTools", bool),
  config: ignored("customTools", map, { keys: () => free }),
};

const customTool: KeyTable = closed("CFG042", "CFG033", customToolKeys);

/** Custom tools, filters, code-based tools and the tool loop (docs/spec/config.md 7), hooks of one agent (18). */
export const toolKeys = {
  custom_tools: built(list, { each: () => customTool }),
  auto_discover_custom_tools: ignored("customTools", bool),
  exclude_custom_tools: ignored("customTools", texts),
  allowed_tools: built(texts),
  exclude_tools: built(texts),
  disallowed_tools: ignored("toolFilters", texts),
  enable_code_based_tools: ignored("codeBasedTools", bool),
  custom_tools_path: ignored("codeBasedTools", text),
  shared_tools_directory: ignored("codeBasedTools", text),
  direct_mcp_servers: ignored("codeBasedTools", texts),
  concurrent_tool_execution: built(bool),
  max_concurrent_tools: built(count),
  disable_parallel_tool_use: refused("toolLoop", bool),
  max_mcp_message_history: refused("toolLoop", count),
  max_tools: refused("toolLoop", count),
  max_media_calls: refused("mediaTools", count),
  mcp_config_file: refused("mcp", text),
  mcp_tool_mode: refused("mcp", text, off("direct")),
  hooks: hooksKey,
};

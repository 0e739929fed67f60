export { createChatCompletions } from "./chat-completions.js";
export type { ChatCompletionsOptions } from "./options.js";
export { type Preset, presetOfHost, presets, type ToolChoiceSupport } from "./presets.js";

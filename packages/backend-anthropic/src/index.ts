export { createAnthropic } from "./anthropic.js";
export type { AnthropicOptions } from "./options.js";

export { createOpenAI } from "./openai.js";
export type { OpenAIOptions } from "./options.js";
export { type Vendor, vendors } from "./vendors.js";

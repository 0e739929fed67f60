export { createGemini } from "./gemini.js";
export type { GeminiOptions } from "./options.js";

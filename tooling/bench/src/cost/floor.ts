import { ANSWER_TOKENS, SYSTEM_TOKENS, TASK_TOKENS } from "../tokens/standard-run.js";

/** Prices relative to an uncached input token. */
export const OUTPUT_PRICE = 5;
export const CACHED_PRICE = 0.1;

/** One agent alone reads system message and task and writes an answer. */
export const priceOfOneAgent: number = SYSTEM_TOKENS + TASK_TOKENS + OUTPUT_PRICE * ANSWER_TOKENS;

import type { PriceTable } from "./prices.js";

/**
 * List prices of the models used most, in US dollars per million tokens. A table, not a promise: vendors change prices,
 * and batch, tier and region discounts are not in it. A run never asks the network for prices.
 */
export const listPrices: PriceTable = {
  asOf: "2026-11-30",
  source: "docs/spec/backends.md 24.3",
  models: {
    "gpt-5.4": { input: 2.5, output: 15 },
    "gpt-5.2": { input: 1.75, output: 14 },
    "gpt-5": { input: 1.25, output: 10 },
    "gpt-5-mini": { input: 0.25, output: 2 },
    "gpt-5-nano": { input: 0.05, output: 0.4 },
    "gpt-4o": { input: 2.5, output: 10 },
    "gpt-4o-mini": { input: 0.15, output: 0.6 },
    "o3-mini": { input: 1.1, output: 4.4 },
    "claude-haiku-4-5": { input: 1, output: 5 },
    "claude-sonnet-4-5": { input: 3, output: 15 },
    "claude-opus-4": { input: 15, output: 75 },
    "claude-opus-4-1": { input: 15, output: 75 },
    "claude-3-5-haiku": { input: 0.8, output: 4 },
    "gemini-3.1-pro-preview": { input: 2, output: 12 },
    "grok-4": { input: 3, output: 15 },
    "grok-4-1-fast": { input: 0.2, output: 0.5 },
    "grok-code-fast-1": { input: 0.2, output: 1.5 },
    "grok-3": { input: 3, output: 15 },
    "grok-3-mini": { input: 1, output: 3 },
  },
};

/** Context windows in tokens, of the models whose window is known. */
export const contextWindows: Readonly<Record<string, number>> = {
  "gpt-5.4": 1_050_000,
  "gpt-5.2": 400_000,
  "gpt-4o": 128_000,
  "claude-haiku-4-5": 200_000,
  "claude-opus-4": 200_000,
  "claude-opus-4-1": 200_000,
  "gemini-3.1-pro-preview": 1_000_000,
  "grok-4-1-fast": 2_000_000,
  "grok-code-fast-1": 256_000,
};

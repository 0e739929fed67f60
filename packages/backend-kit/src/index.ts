export type { AdapterOptions } from "./adapter-options.js";
export {
  addFragment,
  type GatheredCall,
  gatherCalls,
  type OpenToolCalls,
  openToolCalls,
  type ToolCallFragment,
  type ToolInputDelta,
} from "./assemble-tool-calls.js";
export type { Attempt, AttemptContext, AttemptEvent } from "./attempt.js";
export { type Circuit, type Guard, openCircuit } from "./breaker.js";
export { type BreakerRules, defaultBreakerRules } from "./breaker-states.js";
export { checkedKey } from "./checked-key.js";
export {
  type Asked,
  classifyNetworkError,
  classifyReply,
  classifyStreamError,
  classifyUnexpectedBody,
  type FailedReply,
} from "./classify-failure.js";
export { completeHistory, INTERRUPTED_TEXT } from "./complete-history.js";
export { toBase64, toDataUrl } from "./data-url.js";
export { readErrorBody } from "./error-body.js";
export { estimateUsage } from "./estimate-usage.js";
export { AttemptError, type AttemptFailure, fatal, type RetryAdvice, transient } from "./failure.js";
export { legalToolName, legalToolNames, type ToolNames } from "./legal-tool-names.js";
export { isLocalKey } from "./local-keys.js";
export { type MediaKind, mediaKind, mediaNote } from "./media-kind.js";
export { type PacedAmbient, pacedAmbient } from "./paced-ambient.js";
export { isWhole, type ParsedArguments, parseArguments } from "./parse-arguments.js";
export { type PriceFile, readPriceFile, toPriceFile, withPrices } from "./price-file.js";
export { contextWindows, listPrices } from "./price-table.js";
export { type BilledTokens, costUsd, findModel, type ModelPrice, type PriceTable, priceOf } from "./prices.js";
export { openRateLimiter, type RateLimiter, type RateLimiterOptions } from "./rate-limiter.js";
export type { RateLimits } from "./rate-windows.js";
export { readEventStream, type StreamEvent } from "./read-event-stream.js";
export { redact } from "./redact.js";
export { readRetryAfter } from "./retry-after.js";
export { type Backoff, backoffDelayMs, defaultRetryLimits, type RetryLimits } from "./retry-plan.js";
export { runTurn, type TurnOptions } from "./run-turn.js";
export { sendableText } from "./sendable-text.js";
export { type SplitText, splitThinkTags, type ThinkTagSplitter } from "./think-tags.js";
export { type BaseUrl, type BaseUrlRules, showUrl, tidyBaseUrl } from "./tidy-base-url.js";
export { tidyToolSchema } from "./tidy-tool-schema.js";
export { estimatePartTokens, estimateRequestTokens, estimateTokens, mergeUsage, noUsage } from "./usage.js";
export { webAmbient } from "./web-ambient.js";

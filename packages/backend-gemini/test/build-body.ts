import type { JsonValue, TurnRequest } from "@massgen/contracts";
import type { GeminiOptions } from "../src/index.js";
import { openBench } from "./turns.js";

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent.
type Body = any;

/** The body of a request as it arrives at the vendor, with the real SDK in between. */
export async function bodyOf(request: Partial<TurnRequest> = {}, options: Partial<GeminiOptions> = {}): Promise<Body> {
  const { turn, server } = await openBench([{ recording: "whole-answer.sse" }], { model: "gemini-3-flash-preview", ...options });
  const { closing } = await turn(request);
  if (closing.type === "turn_failed") throw new Error(closing.failure.message);
  return server.requests[0]?.body;
}

export const withParams = (params: Readonly<Record<string, JsonValue>>, model = "gemini-2.0-flash"): Promise<Body> =>
  bodyOf({}, { params, model });

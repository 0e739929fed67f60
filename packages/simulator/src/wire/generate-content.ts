import type { JsonValue } from "@massgen/contracts";
import type { ReplyContent } from "../reply.js";
import { lintGenerateContent } from "./lint-generate-content.js";
import { readGenerateContent } from "./read-generate-content.js";
import type { FinishReason, ReplyHead, StreamWriter, Wire, WireUsage } from "./wire.js";

const GENERATE = /^\/v1(?:alpha|beta)\/models\/[^/:]+:(?:streamG|g)enerateContent$/;

/** Google's generateContent, as the Gemini API speaks it. Streams are event streams, as with `alt=sse`. */
export const generateContent: Wire = {
  api: "generate_content",
  basePath: "",
  route(method, path) {
    if (method === "POST" && GENERATE.test(path)) return "generate";
    return method === "GET" && path === "/v1beta/models" ? "models" : null;
  },
  read: readGenerateContent,
  lint: lintGenerateContent,
  stream: writeStream,
  whole: writeWhole,
  error(status, message) {
    return JSON.stringify({
      error: { code: status, message, status: STATUS_NAMES[status] ?? (status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT") },
    });
  },
  models(names) {
    const models = names.map((name) => ({
      name: `models/${name}`,
      displayName: `${name} (simulated)`,
      supportedGenerationMethods: ["generateContent", "countTokens"],
    }));
    return JSON.stringify({ models });
  },
};

function writeStream(head: ReplyHead): StreamWriter {
  let call = { name: "", json: "" };
  const chunk = (part: JsonValue): string =>
    `data: ${JSON.stringify({ candidates: [{ content: { parts: [part], role: "model" }, index: 0 }], ...frame(head) })}\r\n\r\n`;
  return {
    open: () => "",
    reasoning: (text) => chunk({ text, thought: true }),
    text: (text) => chunk({ text }),
    callStart(_, name) {
      call = { name, json: "" };
      return "";
    },
    // This API sends calls only whole, so one is written with the piece that completes it.
    callInput(index, piece) {
      call.json += piece;
      const input = parseWhole(call.json);
      return input === null ? "" : chunk(callPart(head, index, call.name, input));
    },
    close(finish, usage) {
      const candidate = { content: { parts: [{ text: "" }], role: "model" }, finishReason: finishReason(finish), index: 0 };
      return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata: wireUsage(usage), ...frame(head) })}\r\n\r\n`;
    },
  };
}

function writeWhole(head: ReplyHead, content: ReplyContent, finish: FinishReason, usage: WireUsage): string {
  const parts: readonly JsonValue[] = [
    ...(content.reasoning === undefined ? [] : [{ text: content.reasoning, thought: true }]),
    ...(content.text === undefined ? [] : [{ text: content.text }]),
    ...(content.toolCalls ?? []).map((call, index) => callPart(head, index, call.name, call.input)),
  ];
  const candidate = { content: { parts, role: "model" }, finishReason: finishReason(finish), index: 0 };
  return JSON.stringify({ candidates: [candidate], usageMetadata: wireUsage(usage), ...frame(head) });
}

/** The arguments of a call as far as they have come; `null` as long as something is missing. */
function parseWhole(json: string): JsonValue {
  if (!json.endsWith("}")) return null;
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return null;
  }
}

/** Only the first of parallel calls is signed, as Gemini 3 does it. */
function callPart(head: ReplyHead, index: number, name: string, args: JsonValue): JsonValue {
  const functionCall = { id: `fc_${head.id}_${index}`, name, args };
  return index === 0 ? { functionCall, thoughtSignature: "c2ltdWxhdGVk" } : { functionCall };
}

const frame = (head: ReplyHead): object => ({ modelVersion: head.model, responseId: `resp-${head.id}` });

const FINISH_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  refusal: "SAFETY",
};
const finishReason = (finish: FinishReason): string => FINISH_REASONS[finish];

/** Thoughts are counted beside the candidates, and not in them. */
function wireUsage(usage: WireUsage): object {
  return {
    promptTokenCount: usage.inputTokens,
    candidatesTokenCount: Math.max(0, usage.outputTokens - usage.reasoningTokens),
    totalTokenCount: usage.inputTokens + usage.outputTokens,
    ...(usage.cachedTokens > 0 ? { cachedContentTokenCount: usage.cachedTokens } : {}),
    ...(usage.reasoningTokens > 0 ? { thoughtsTokenCount: usage.reasoningTokens } : {}),
  };
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

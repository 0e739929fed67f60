import type { JsonValue } from "@massgen/contracts";
import { chatCompletions, countTokens, type JsonObject, type StreamWriter } from "@massgen/simulator";
import type { VirtualClock } from "@massgen/testing";
import type { Call } from "./call-log.js";
import { callOf, type SpokenStep } from "./call-of.js";
import { glimpseOfPrompt, readView } from "./read-view.js";
import { type ScriptedAgent, type Step, stepMs } from "./script.js";

/** A request as it came over the wire, with the call it was. */
export interface WireCall extends Call {
  readonly model: string;
  readonly body: JsonValue;
  /** Everything the model reads, in the order in which vendors hash it for their prompt caches. */
  readonly prompt: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

type OpenCall = { -readonly [Key in keyof WireCall]: WireCall[Key] };

/**
 * The fake vendor without sockets: a `fetch` that speaks Chat Completions on the virtual clock, so that core, adapter and
 * SDK are the real ones and the time and the order of requests are not left to chance. Agents are told apart by their keys,
 * which are their ids.
 */
export interface VirtualVendor {
  readonly fetch: typeof globalThis.fetch;
  readonly calls: readonly WireCall[];
}

const PATH = "/v1/chat/completions";

export function virtualVendor(team: readonly ScriptedAgent[], clock: VirtualClock): VirtualVendor {
  const calls: OpenCall[] = [];

  async function answer(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}): Promise<Response> {
    const request = new Request(input, init);
    const agent = team.find(({ id }) => request.headers.get("authorization") === `Bearer ${id}`);
    if (agent === undefined) return new Response(chatCompletions.error(401, "nobody has this key", null), { status: 401 });
    const body = (await request.json()) as JsonObject;
    const { prompt, canonicalText } = chatCompletions.read(body, PATH);
    const violations = chatCompletions.lint(body, PATH);
    if (violations.length > 0) throw new Error(`The request breaks a rule of the API: ${violations[0]!.rule} (${violations[0]!.where}).`);
    const mine = calls.filter((call) => call.agent === agent.id);
    const answered = mine.filter(({ step, ended }) => step.does === "answer" && ended === "whole").length;
    const step = agent.script(readView(glimpseOfPrompt(prompt), { call: mine.length, answered }));
    const call: OpenCall = {
      agent: agent.id,
      model: prompt.model,
      step,
      body,
      prompt: canonicalText,
      inputTokens: countTokens(canonicalText),
      outputTokens: 0,
      startedAtMs: clock.monotonic(),
      endedAtMs: null,
      ended: null,
    };
    calls.push(call);
    return reply(call, agent, init.signal ?? request.signal);
  }

  async function reply(call: OpenCall, { latency }: ScriptedAgent, signal: AbortSignal): Promise<Response> {
    const { step } = call;
    const head = { id: String(calls.length), model: call.model, createdAtSeconds: 0, includeUsage: true };
    const writer = chatCompletions.stream(head);
    const end = (ended: Call["ended"]): void => {
      call.ended = ended;
      call.endedAtMs = clock.monotonic();
    };
    try {
      if (step.does === "fail") {
        await clock.sleepUntil(call.startedAtMs + step.afterMs, signal);
        end("failed");
        return failure(step);
      }
      if (step.does === "stall") return stream(writer.open(), new Promise(() => {}));
      await clock.sleepUntil(call.startedAtMs + latency.firstTokenMs, signal);
    } catch (error) {
      end("cancelled");
      throw error;
    }
    const rest = (async () => {
      try {
        await clock.sleepUntil(call.startedAtMs + stepMs(step, latency), signal);
      } catch (error) {
        end("cancelled");
        throw error;
      }
      if (step.does === "cut") {
        end("failed");
        throw new TypeError("terminated");
      }
      call.outputTokens = step.tokens;
      end("whole");
      return (
        contentOf(step, writer) +
        writer.close(isCall(step) ? "tool_calls" : "stop", {
          inputTokens: call.inputTokens,
          outputTokens: step.tokens,
          cachedTokens: 0,
          reasoningTokens: 0,
        })
      );
    })();
    return stream(writer.open(), rest);
  }

  return { fetch: answer, calls };
}

const isCall = (step: SpokenStep): boolean => step.does !== "text";

function contentOf(step: SpokenStep, writer: StreamWriter): string {
  if (step.does === "text") return writer.text(step.text);
  const [name, input] = callOf(step);
  return writer.callStart(0, name) + writer.callInput(0, JSON.stringify(input));
}

function failure(step: Extract<Step, { does: "fail" }>): Response {
  const wait =
    step.retryAfterMs === undefined ? {} : { "retry-after-ms": String(step.retryAfterMs), "retry-after": String(step.retryAfterMs / 1000) };
  return new Response(chatCompletions.error(step.status, `scripted failure with status ${step.status}`, null), {
    status: step.status,
    headers: { "content-type": "application/json", ...wait },
  });
}

/** Two packets: the frame at the first token, the content at the last one. */
function stream(first: string, rest: Promise<string>): Response {
  const bytes = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.encode(first));
      rest.then(
        (text) => {
          controller.enqueue(bytes.encode(text));
          controller.close();
        },
        (error) => controller.error(error),
      );
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

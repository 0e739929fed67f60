import { createChatCompletions } from "@massgen/backend-chat-completions";
import type { Recorded } from "@massgen/contracts";
import { type Agent, coordinate, type PolicyOptions } from "@massgen/core";
import { runVirtual, testAmbient, type VirtualClock, virtualClock } from "@massgen/testing";
import type { ScriptedAgent } from "./script.js";
import { virtualVendor, type WireCall } from "./virtual-vendor.js";

export interface WireRun {
  readonly calls: readonly WireCall[];
  readonly facts: readonly Recorded[];
  readonly status: string;
}

export interface WireOptions {
  readonly question?: string;
  /** The same for every agent. */
  readonly instructions?: string;
  readonly policy?: PolicyOptions;
  readonly answerOrder?: "auto" | "rotate" | "fixed";
}

/**
 * Plays a team through the real core, the real adapter and the vendor's SDK against the fake vendor on the virtual clock.
 * What the requests cost is read from the wire.
 */
export async function playOverWire(team: readonly ScriptedAgent[], options: WireOptions = {}): Promise<WireRun> {
  // The SDK is loaded from the disk with the first request: real work, which the virtual clock would not wait for.
  await loadSdk();
  const ambient = testAmbient({ clock: patientClock() });
  const vendor = virtualVendor(team, ambient.clock);
  const wired = { ...ambient, fetch: vendor.fetch };
  const agents = team.map(({ id, model }): Agent => {
    const backend = createChatCompletions({ model, apiKey: id, baseUrl: "http://vendor.test/v1", ambient: wired });
    return { id, backend, ...(options.instructions === undefined ? {} : { instructions: options.instructions }) };
  });
  const { question = "Which cache policy fits a read-heavy service?", policy = {}, answerOrder = "auto" } = options;
  const run = coordinate({ question, agents, policy, ambient: wired, answerOrder, timeZone: "UTC" });
  const facts: Recorded[] = [];
  async function follow(): Promise<string> {
    for await (const event of run) if ("seq" in event) facts.push(event);
    return (await run.outcome).status;
  }
  const status = await runVirtual(ambient.clock, follow());
  return { calls: vendor.calls, facts, status };
}

/**
 * The adapter imports its SDK with each request. That is real work wherever a loader of its own answers imports, which the
 * virtual clock cannot see: but loaders answer in order, so when an import of ours comes back, the adapter's has too.
 */
function patientClock(): VirtualClock {
  const clock = virtualClock();
  return {
    ...clock,
    async settle() {
      await clock.settle();
      await import("./prefix.js");
      await clock.settle();
    },
  };
}

let loaded: Promise<void> | null = null;

/** One turn of an adapter nobody listens to: afterwards everything it needs is in memory. */
function loadSdk(): Promise<void> {
  loaded ??= (async () => {
    const silent = { fetch: () => Promise.resolve(new Response("{}", { status: 401 })) };
    const backend = createChatCompletions({ model: "none", apiKey: "none", baseUrl: "http://vendor.test/v1", ambient: silent });
    const request = {
      messages: [{ role: "user", parts: [{ type: "text", text: "?" }] }],
      tools: [],
      toolChoice: "auto",
      maxOutputTokens: null,
      options: {},
    } as const;
    for await (const event of backend.stream(request, new AbortController().signal)) void event;
  })();
  return loaded;
}

import type {
  AgentId,
  BackendCapabilities,
  CoordinationEvent,
  Delta,
  Message,
  Recorded,
  RoundTranscript,
  RunEvent,
  TurnRequest,
} from "@massgen/contracts";
import {
  runVirtual,
  type ScriptedBackend,
  type ScriptedBackendOptions,
  scriptedBackend,
  type TestAmbient,
  type Turn,
  testAmbient,
} from "@massgen/testing";
import { type Agent, type CoordinateOptions, type Coordination, coordinate, type Outcome } from "../../src/index.js";

export type Script = readonly Turn[] | ((request: TurnRequest, callIndex: number) => Turn | Promise<Turn>);

export interface TeamOptions extends Partial<Omit<CoordinateOptions, "agents" | "ambient">> {
  readonly agents?: Readonly<Record<AgentId, Partial<Omit<Agent, "id" | "backend">>>>;
  readonly backends?: Readonly<Record<AgentId, Partial<ScriptedBackendOptions>>>;
  readonly capabilities?: Partial<BackendCapabilities>;
  readonly ambient?: TestAmbient;
  /** Called once the run has begun, for tests that meddle with it. */
  readonly meddle?: (run: Coordination, ambient: TestAmbient) => void;
}

export interface TeamRun {
  readonly run: Coordination;
  readonly outcome: Outcome;
  readonly facts: readonly Recorded[];
  readonly deltas: readonly Delta[];
  readonly events: readonly RunEvent[];
  readonly transcripts: readonly RoundTranscript[];
  readonly backends: Readonly<Record<AgentId, ScriptedBackend>>;
  readonly ambient: TestAmbient;
}

/** Agents that play scripts, on a virtual clock: the run with all it said. */
export async function runTeam(scripts: Readonly<Record<AgentId, Script>>, options: TeamOptions = {}): Promise<TeamRun> {
  const { agents = {}, backends: backendOptions = {}, capabilities, ambient = testAmbient(), meddle, ...rest } = options;
  const backends: Record<AgentId, ScriptedBackend> = {};
  for (const [id, script] of Object.entries(scripts)) {
    const said = typeof script === "function" ? { respond: script } : { steps: script };
    backends[id] = scriptedBackend({
      clock: ambient.clock,
      ...said,
      ...(capabilities === undefined ? {} : { capabilities }),
      ...backendOptions[id],
    });
  }
  const transcripts: RoundTranscript[] = [];
  const run = coordinate({
    question: "Which cache policy fits?",
    timeZone: "UTC",
    onTranscript: (transcript) => transcripts.push(transcript),
    ...rest,
    ambient,
    agents: Object.keys(scripts).map((id) => ({ id, backend: backends[id]!, ...agents[id] })),
  });
  const watching = watchAll(run);
  // A run that cannot go on rejects both; the test hears of it from the outcome.
  watching.catch(() => {});
  meddle?.(run, ambient);
  const outcome = await runVirtual(ambient.clock, run.outcome);
  const events = await watching;
  return {
    run,
    outcome,
    events,
    facts: events.filter(isFact),
    deltas: events.filter((event) => !isFact(event)) as readonly Delta[],
    transcripts,
    backends,
    ambient,
  };
}

async function watchAll(run: Coordination): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

export const isFact = (event: RunEvent): event is Recorded => "seq" in event;

/** Members of the union whose `type` may be T; some of them have several. */
type FactOf<T extends CoordinationEvent["type"]> = T extends unknown
  ? Recorded extends infer R
    ? R extends { readonly type: infer U }
      ? T extends U
        ? R
        : never
      : never
    : never
  : never;

export const factsOf = <T extends CoordinationEvent["type"]>(facts: readonly Recorded[], ...types: readonly T[]): readonly FactOf<T>[] =>
  facts.filter((fact): fact is FactOf<T> => (types as readonly string[]).includes(fact.type));

/** The text an adapter would send for a request, one message after another. */
export const textOf = (request: TurnRequest): string => request.messages.map(messageText).join("\n");

export function messageText(message: Message): string {
  if (message.role === "system") return message.text;
  const parts = message.role === "tool" ? message.results.flatMap((result) => result.output.parts) : message.parts;
  return parts.map((part) => (part.type === "text" ? part.text : part.type === "tool_call" ? JSON.stringify(part.input) : "")).join("");
}

/** The newest message of a request. */
export const lastMessage = (request: TurnRequest | undefined): Message => request!.messages.at(-1)!;

/** Every call of a history is answered in the very next message, and nothing else is. */
export function isSendable(messages: readonly Message[]): boolean {
  return messages.every((message, index) => {
    const next = messages[index + 1];
    const calls = message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "tool_call" ? [part.callId] : [])) : [];
    const results = next?.role === "tool" ? next.results.map((result) => result.callId) : [];
    const isBlank = "parts" in message && message.parts.length === 0;
    const doubled = message.role === "user" && next?.role === "user";
    return (
      !isBlank &&
      !doubled &&
      JSON.stringify(calls) === JSON.stringify(message.role === "assistant" ? results : []) &&
      (message.role === "assistant" || next?.role !== "tool")
    );
  });
}

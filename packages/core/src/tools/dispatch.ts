import type { ActivityFact, AgentId, Ambient, Channel, Delta, Hook, ToolCallPart, ToolHandler, ToolOutput } from "@massgen/contracts";
import { previewOf } from "../text/cut-text.js";
import { callTool, errorOutput, unreadableText } from "./call-tool.js";
import { capOutput } from "./cap-output.js";
import type { AskConsent } from "./consent.js";
import { askBefore, isSameInput, tellAfter } from "./hooks.js";
import { nearestName } from "./nearest-name.js";
import type { KnownCall, OnServedCall, RecallCall, ServedCall } from "./served-call.js";

/**
 * Why a call must not run, in the words for its model; `null` lets it pass. Guards are asked one after another right before
 * the tool would run, and the first refusal counts. A guard that throws refuses.
 */
export type ToolGuard = (call: ToolCallPart, handler: ToolHandler) => string | null | Promise<string | null>;

export interface DispatchContext {
  readonly agent: AgentId;
  readonly round: number;
  readonly tools: readonly ToolHandler[];
  /** Reading tools of one response that run at the same time. */
  readonly atOnce: number;
  /** Names the model may have meant: its own tools and the workflow tools. */
  readonly knownNames: readonly string[];
  readonly ambient: Ambient;
  readonly signal: AbortSignal;
  readonly resultCapChars: number;
  /** What the model can take in. */
  readonly input: readonly string[];
  readonly channel: Channel;
  /** Asked before the hooks, and again when a hook changed the input. */
  readonly guards: readonly ToolGuard[];
  readonly hooks: readonly Hook[];
  /** Asks a person where a hook wants that. */
  readonly consent: AskConsent;
  /** Asked last, when everybody else has agreed: they may put on record that the call is made. */
  readonly witnesses: readonly ToolGuard[];
  /** Takes secrets out of what the model is to read. */
  readonly redact: (text: string) => string;
  readonly onServed: OnServedCall;
  /** `null`: calls are made. */
  readonly recall: RecallCall | null;
  /** Puts a message of its own into the conversation, behind all results. */
  inject(text: string): void;
  report(fact: ActivityFact): void;
  emit(delta: Delta): void;
}

/**
 * The one way of every tool call: looked up, run under its deadline, capped, put on record. Tools that only read run
 * side by side; everything else runs alone, in the order of the model. Each call gets exactly one result, also when it
 * is refused, fails, or takes too long; with `refusal` none is run and each gets that text.
 */
export async function dispatchCalls(
  calls: readonly ToolCallPart[],
  context: DispatchContext,
  refusal: string | null,
): Promise<ReadonlyMap<ToolCallPart, ToolOutput>> {
  const outputs = new Map<ToolCallPart, ToolOutput>();
  for (const batch of batches(calls, context)) {
    await Promise.all(batch.map(async (call) => outputs.set(call, await serve(call, context, refusal))));
    if (context.signal.aborted) break;
  }
  return outputs;
}

/** Neighbours that only read form a batch; any other call is one by itself. */
function batches(
  calls: readonly ToolCallPart[],
  { tools, atOnce }: Pick<DispatchContext, "tools" | "atOnce">,
): readonly (readonly ToolCallPart[])[] {
  const result: ToolCallPart[][] = [];
  let open: ToolCallPart[] | null = null;
  for (const call of calls) {
    const reads = handlerOf(tools, call)?.risk === "read";
    if (reads && open !== null && open.length < atOnce) open.push(call);
    else {
      const batch = [call];
      result.push(batch);
      open = reads ? batch : null;
    }
  }
  return result;
}

async function serve(call: ToolCallPart, context: DispatchContext, refusal: string | null): Promise<ToolOutput> {
  const { agent, round, ambient, report } = context;
  const { callId, tool: name } = call;
  const args = call.inputError ?? JSON.stringify(call.input);
  const startedAt = ambient.clock.monotonic();
  report({ type: "tool_start", agent, round, callId, name, argsPreview: previewOf(args) });
  const output = refusal === null ? await attempt(call, context) : errorOutput(refusal);
  const text = output.parts.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
  report({
    type: "tool_complete",
    agent,
    round,
    callId,
    name,
    ok: !output.isError,
    durationMs: ambient.clock.monotonic() - startedAt,
    inputChars: args.length,
    outputChars: text.length,
    resultPreview: previewOf(text),
  });
  return output;
}

/** From the tool, or in a run that is run again from its record. */
async function attempt(call: ToolCallPart, context: DispatchContext): Promise<ToolOutput> {
  const { agent, recall, ambient } = context;
  const handler = handlerOf(context.tools, call);
  if (recall !== null) return await again(call, handler, recall(agent, call), context);
  const startedAt = ambient.clock.monotonic();
  const injected: string[] = [];
  const inject = (text: string): void => {
    injected.push(text);
    context.inject(text);
  };
  const { isPassed, output } = await judged(call, handler, { ...context, inject });
  await context.onServed(agent, call, { isPassed, output, injected }, startedAt, ambient.clock.monotonic());
  return output;
}

/** Judged, asked about, judged again where that changed it, run, shown, cleaned of secrets, cut (docs/spec/tools.md 3.1). */
async function judged(
  call: ToolCallPart,
  handler: ToolHandler | undefined,
  context: DispatchContext,
): Promise<Pick<ServedCall, "isPassed" | "output">> {
  const refused = (text: string) => ({ isPassed: false, output: errorOutput(text) });
  if (handler === undefined) return refused(unknownTool(call.tool, context.knownNames));
  const unreadable = unreadableText(call);
  if (unreadable !== null) return refused(unreadable);
  const refusal = await refusalOf(call, handler, context.guards);
  if (refusal !== null) return refused(refusal);
  const asked = await askBefore(call, context);
  if (asked.type === "refused") return refused(asked.text);
  const isSame = isSameInput(asked.call.input, call.input);
  const again = isSame ? null : (unreadableText(asked.call) ?? (await refusalOf(asked.call, handler, context.guards)));
  if (again !== null) return refused(again);
  const last = await refusalOf(asked.call, handler, context.witnesses);
  if (last !== null) return { isPassed: true, output: errorOutput(last) };
  const output = cleaned(await callTool(handler, asked.call, context), context.redact);
  const shown = await tellAfter(asked.call, output, asked.notes, context);
  const keep = handler.risk === "read" ? "head" : "ends";
  return { isPassed: true, output: capOutput(shown, { maxChars: context.resultCapChars, keep, input: context.input }) };
}

/** The call is put on record as it was then; what it did, and what it gave, is known. */
async function again(
  call: ToolCallPart,
  handler: ToolHandler | undefined,
  known: KnownCall,
  context: DispatchContext,
): Promise<ToolOutput> {
  const refusal = known.isPassed && handler !== undefined ? await refusalOf(call, handler, context.witnesses) : null;
  if (refusal !== null) return errorOutput(refusal);
  const { output, injected } = await known.end(context.signal);
  for (const text of injected) context.inject(text);
  return output;
}

const cleaned = (output: ToolOutput, redact: (text: string) => string): ToolOutput => ({
  ...output,
  parts: output.parts.map((part) => (part.type === "text" ? { ...part, text: redact(part.text) } : part)),
});

async function refusalOf(call: ToolCallPart, handler: ToolHandler, guards: readonly ToolGuard[]): Promise<string | null> {
  try {
    for (const guard of guards) {
      const refusal = await guard(call, handler);
      if (refusal !== null) return refusal;
    }
    return null;
  } catch (error) {
    return `${call.tool} was not run: whether it may run could not be found out (${error instanceof Error ? error.message : String(error)}).`;
  }
}

const handlerOf = (tools: readonly ToolHandler[], { tool }: ToolCallPart): ToolHandler | undefined =>
  tools.find(({ spec }) => spec.name === tool);

/** Names the tool, and the way out. */
function unknownTool(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return `There is no tool called ${JSON.stringify(previewOf(name, 80))}. ${near === null ? `Your tools: ${known.join(", ")}.` : `Did you mean ${near}?`}`;
}

import type {
  AgentId,
  Ambient,
  Channel,
  Delta,
  Hook,
  HookPoint,
  HookResult,
  JsonValue,
  ToolCallPart,
  ToolOutput,
} from "@massgen/contracts";
import { OVER } from "../async/over.js";
import { unlessAborted } from "../async/unless-aborted.js";
import { headOf } from "../text/cut-text.js";
import type { AskConsent } from "./consent.js";

export interface HookContext {
  readonly agent: AgentId;
  readonly channel: Channel;
  readonly ambient: Ambient;
  readonly signal: AbortSignal;
  readonly hooks: readonly Hook[];
  /** Asks a person. */
  readonly consent: AskConsent;
  /** Puts a message of its own into the conversation, behind all results. */
  inject(text: string): void;
  emit(delta: Delta): void;
}

/** What hooks made of a call before it is run. */
export type Asked =
  | { readonly type: "run"; readonly call: ToolCallPart; readonly notes: readonly string[] }
  | { readonly type: "refused"; readonly text: string };

/** Characters of one injected text. */
const LONGEST_INJECTION = 4000;

/** Asks the hooks before a call, one after another: the first refusal ends it, changes of the input add up. */
export async function askBefore(call: ToolCallPart, context: HookContext): Promise<Asked> {
  let asked = call;
  const notes: string[] = [];
  for (const hook of matching(context.hooks, "tool.before", call.tool)) {
    const said = await ask(hook, { at: "tool.before", tool: call.tool, input: asked.input }, asked, context);
    if (said instanceof Error) {
      if (hook.onError === "continue") {
        tellFailure(hook, said, call, context);
        continue;
      }
      return {
        type: "refused",
        text: `${call.tool} was not run: the hook ${hook.name} failed, and what it guards is closed (${said.message}).`,
      };
    }
    const refusal = await refusalOf(hook, asked, said, context);
    if (refusal !== null) return { type: "refused", text: refusal };
    if (said.input !== undefined) asked = { ...asked, input: said.input };
    note(said, notes, context);
  }
  return { type: "run", call: asked, notes };
}

/** Shows the hooks what came of a call; what they add stands behind it. A hook that fails here changes nothing. */
export async function tellAfter(
  call: ToolCallPart,
  output: ToolOutput,
  notes: readonly string[],
  context: HookContext,
): Promise<ToolOutput> {
  const added = [...notes];
  for (const hook of matching(context.hooks, "tool.after", call.tool)) {
    const said = await ask(hook, { at: "tool.after", tool: call.tool, input: call.input, output }, call, context);
    if (said instanceof Error) tellFailure(hook, said, call, context);
    else note(said, added, context);
  }
  return added.length === 0 ? output : { ...output, parts: [...output.parts, { type: "text", text: `\n${added.join("\n\n")}` }] };
}

/** A hook that is passed over must not look as if it had agreed. */
function tellFailure({ name, at }: Hook, { message }: Error, { tool }: ToolCallPart, { agent, emit }: HookContext): void {
  const when = at === "tool.before" ? "before" : "after";
  emit({ type: "notice", level: "warning", agent, message: `The hook ${name} failed ${when} ${tool} and was passed over: ${message}.` });
}

/** Marked, so that no tool's result can pass for it. */
const framed = (text: string): string => `[From the system, not from the tool]\n${headOf(text, LONGEST_INJECTION)}`;

function note({ inject }: HookResult, notes: string[], context: HookContext): void {
  if (inject === undefined || inject.text.trim() === "") return;
  if (inject.placement === "tool_result") notes.push(framed(inject.text));
  else context.inject(framed(inject.text));
}

async function refusalOf(
  hook: Hook,
  { tool, input }: ToolCallPart,
  { decision, reason = "" }: HookResult,
  { agent, consent }: HookContext,
): Promise<string | null> {
  if (decision === "allow") return null;
  const why = reason.trim() === "" ? "it gave no reason" : reason.trim();
  if (decision === "deny") return `${tool} was refused by the hook ${hook.name}: ${why}`;
  const missing = await consent({ agent, tool, input, rule: `hook ${hook.name}`, why });
  return missing === null ? null : `${tool} was not run: the hook ${hook.name} wants a person's consent (${why}), and ${missing}.`;
}

async function ask(hook: Hook, point: HookPoint, { callId }: ToolCallPart, context: HookContext): Promise<HookResult | Error> {
  const { agent, channel, ambient, signal } = context;
  const limit = new AbortController();
  const timer = new AbortController();
  const onRoundEnd = (): void => limit.abort(signal.reason);
  if (signal.aborted) onRoundEnd();
  else signal.addEventListener("abort", onRoundEnd, { once: true });
  const isLate = ambient.clock.sleepUntil(ambient.clock.monotonic() + hook.timeoutMs, timer.signal).then(
    () => limit.abort(new Error(`it gave no answer within ${hook.timeoutMs / 1000} s`)),
    () => {},
  );
  try {
    const said: unknown = await unlessAborted(hook.run(point, { agent, callId, channel, signal: limit.signal }), limit.signal);
    return isResult(said) ? said : new Error("it answered with something that is no decision");
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    timer.abort(OVER);
    signal.removeEventListener("abort", onRoundEnd);
    await isLate;
  }
}

/** Hooks are other people's code. */
const isResult = (said: unknown): said is HookResult =>
  typeof said === "object" && said !== null && "decision" in said && ["allow", "deny", "ask"].includes(said.decision as string);

const matching = (hooks: readonly Hook[], at: Hook["at"], tool: string): readonly Hook[] =>
  hooks.filter((hook) => hook.at === at && matches(hook.matcher ?? "*", tool));

/** Whether a tool's name is meant by a matcher: `*` stands for any run of characters, `|` parts alternatives. */
export const matches = (matcher: string, tool: string): boolean =>
  matcher.split("|").some((glob) => new RegExp(`^${glob.trim().split("*").map(escaped).join(".*")}$`, "su").test(tool));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Equal as JSON: a hook that hands back what it got has changed nothing. */
export const isSameInput = (one: JsonValue, other: JsonValue): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);

import type { Message, Part, ToolCallPart, ToolOutput } from "@massgen/contracts";

/** What the model reads in place of a result that never came. */
export const INTERRUPTED_TEXT = "This call was interrupted before it gave a result.";

const interrupted: ToolOutput = { parts: [{ type: "text", text: INTERRUPTED_TEXT }], isError: true };

/** A call of the history, under an id that occurs once, and the result that belongs to it. */
interface Slot {
  readonly call: ToolCallPart;
  output: ToolOutput | null;
}

/**
 * Makes any history sendable: every tool call is answered directly after its message and before anything else, once.
 *
 * A call without a result gets one saying that it was interrupted; a result that stands too late is moved; a result
 * without its call is dropped; arguments that are no object become `{}`; a call id that occurs twice is renamed together
 * with its result; an assistant message with nothing in it is dropped. The messages given stay as they are.
 */
export function completeHistory(messages: readonly Message[]): readonly Message[] {
  if (isComplete(messages)) return messages;
  const slots = pairCalls(messages);
  return messages.flatMap((message): readonly Message[] => {
    if (message.role === "tool") return [];
    if (message.role !== "assistant") return [message];
    if (!message.parts.some(saysSomething)) return [];
    const answered = message.parts.flatMap((part) => (part.type === "tool_call" ? [slots.get(part)!] : []));
    if (answered.length === 0) return [message];
    const parts = message.parts.map((part) => (part.type === "tool_call" ? slots.get(part)!.call : part));
    const results = answered.map(({ call, output }) => ({ callId: call.callId, output: output ?? interrupted }));
    return [
      { role: "assistant", parts },
      { role: "tool", results },
    ];
  });
}

/**
 * Nearly every history is: what core writes needs no repair. Looking costs no copies, so that a long conversation costs what
 * its newest turn costs, and whoever keeps what it made of a message finds the same message again.
 */
function isComplete(messages: readonly Message[]): boolean {
  const usedIds = new Set<string>();
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]!;
    if (message.role === "tool" && messages[index - 1]?.role !== "assistant") return false;
    if (message.role !== "assistant") continue;
    const next = messages[index + 1];
    const results = next?.role === "tool" ? next.results : [];
    let calls = 0;
    for (const part of message.parts) {
      if (part.type !== "tool_call") continue;
      if (results[calls]?.callId !== part.callId || wholeCall(part, usedIds) !== part) return false;
      calls += 1;
    }
    if (calls !== results.length || (next?.role === "tool" && calls === 0) || !message.parts.some(saysSomething)) return false;
  }
  return true;
}

/** Every call with its result: the first that follows it under its id, before another call of that id. */
function pairCalls(messages: readonly Message[]): ReadonlyMap<ToolCallPart, Slot> {
  const slots = new Map<ToolCallPart, Slot>();
  const latest = new Map<string, Slot>();
  const usedIds = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const part of message.parts) {
        if (part.type !== "tool_call") continue;
        const slot: Slot = { call: wholeCall(part, usedIds), output: null };
        slots.set(part, slot);
        latest.set(part.callId, slot);
      }
    }
    if (message.role === "tool") {
      for (const { callId, output } of message.results) {
        const slot = latest.get(callId);
        if (slot !== undefined) slot.output ??= output;
      }
    }
  }
  return slots;
}

function wholeCall(call: ToolCallPart, usedIds: Set<string>): ToolCallPart {
  let callId = call.callId;
  for (let copy = 2; callId === "" || usedIds.has(callId); copy++) callId = `${call.callId || "call"}_${copy}`;
  usedIds.add(callId);
  const isObject = typeof call.input === "object" && call.input !== null && !Array.isArray(call.input);
  return isObject && callId === call.callId ? call : { ...call, callId, input: isObject ? call.input : {} };
}

function saysSomething(part: Part): boolean {
  if (part.type === "reasoning") return part.text !== "" || part.opaque !== undefined;
  return part.type !== "text" || part.text !== "";
}

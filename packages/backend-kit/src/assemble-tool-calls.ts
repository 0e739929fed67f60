/** A piece of a tool call as it came over the wire. Vendors leave out, repeat and misplace every field of it. */
export interface ToolCallFragment {
  readonly index: number | null;
  /** Empty when the fragment has none. */
  readonly id: string;
  /** Empty when the fragment has none. */
  readonly name: string;
  /** A piece of JSON text, or a whole object from vendors that do not send text. */
  readonly arguments: string | object | null;
}

interface OpenCall {
  readonly index: number | null;
  /** The vendor's id, empty as long as it has sent none; what fragments are matched with. */
  vendorId: string;
  /** The id the call goes by; set when the call is first shown. */
  callId: string;
  name: string;
  readonly pieces: string[];
  /** How many of `pieces` have been shown. */
  shown: number;
  readonly nesting: JsonNesting;
}

/** The calls of one response. Opened with the stream, fed with its fragments, closed with it. */
export interface OpenToolCalls {
  readonly calls: OpenCall[];
  readonly takenIds: Set<string>;
  readonly newId: () => string;
}

export interface ToolInputDelta {
  readonly callId: string;
  readonly tool: string;
  readonly json: string;
}

/** A call with all its text, in the order in which the vendor began them. */
export interface GatheredCall {
  readonly callId: string;
  readonly tool: string;
  readonly argumentsText: string;
}

/** `takenIds`: ids of the conversation so far. A vendor that numbers its calls from 0 in every response would repeat them. */
export function openToolCalls(takenIds: Iterable<string>, newId: () => string): OpenToolCalls {
  return { calls: [], takenIds: new Set(takenIds), newId };
}

/**
 * Adds a fragment to the call it belongs to (docs/spec/backends.md 10.2): a new non-empty id, or a new name after a
 * complete call, begins a call; a fragment with neither belongs to the call with its index, or to the last one. Repeated
 * ids and names change nothing.
 *
 * Gives what can be shown of the call now, `null` as long as it has no name.
 */
export function addFragment(open: OpenToolCalls, fragment: ToolCallFragment): ToolInputDelta | null {
  const text = textOf(fragment.arguments);
  const call = callOf(open.calls, fragment, text) ?? begin(open, fragment);
  if (call.vendorId === "") call.vendorId = fragment.id;
  if (call.name === "") call.name = fragment.name;
  if (text !== "") call.pieces.push(text);
  if (call.name === "") return null;
  if (call.callId === "") call.callId = claimId(open, call.vendorId);
  else if (call.shown === call.pieces.length) return null;
  const json = call.pieces.slice(call.shown).join("");
  call.shown = call.pieces.length;
  return { callId: call.callId, tool: call.name, json };
}

/** The calls as they stand at the end. One that never got a name keeps an empty `tool`; one with nothing at all is left out. */
export function gatherCalls(open: OpenToolCalls): readonly GatheredCall[] {
  return open.calls
    .filter((call) => call.name !== "" || call.pieces.length > 0)
    .map((call) => ({ callId: call.callId || claimId(open, call.vendorId), tool: call.name, argumentsText: call.pieces.join("").trim() }));
}

function callOf(calls: readonly OpenCall[], { index, id, name }: ToolCallFragment, text: string): OpenCall | null {
  const last = calls.at(-1) ?? null;
  const indexed = index === null ? null : (calls.findLast((call) => call.index === index) ?? null);
  if (id !== "") {
    const same = calls.findLast((call) => call.vendorId === id && (index === null || call.index === index));
    if (same !== undefined) return same;
    const nameless = index === null ? last : indexed;
    // A call that has had no id yet takes this one; some servers invent a new id for every fragment of one call.
    if (nameless !== null && (nameless.vendorId === "" ? !isSecondCall(nameless, name, text) : name === "" && !isComplete(nameless)))
      return nameless;
    return null;
  }
  const candidate = index === null ? last : indexed;
  return candidate === null || isSecondCall(candidate, name, text) ? null : candidate;
}

/** Whether a fragment without an id of its own cannot belong to `call`, although it comes right after it. */
function isSecondCall(call: OpenCall, name: string, text: string): boolean {
  if (name === "" || call.name === "") return false;
  if (name !== call.name) return true;
  return text.trim() !== "" && isComplete(call);
}

function begin(open: OpenToolCalls, { index, id, name }: ToolCallFragment): OpenCall {
  const call: OpenCall = {
    index,
    vendorId: id,
    callId: "",
    name,
    pieces: [],
    shown: 0,
    nesting: { scanned: 0, depth: 0, inText: false, escaped: false },
  };
  open.calls.push(call);
  return call;
}

function claimId(open: OpenToolCalls, wanted: string): string {
  let id = wanted;
  while (id === "" || open.takenIds.has(id)) id = open.newId();
  open.takenIds.add(id);
  return id;
}

function textOf(value: ToolCallFragment["arguments"]): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** How deep the JSON text of a call is nested at the end of what has been scanned. Every piece is scanned once at most. */
interface JsonNesting {
  scanned: number;
  depth: number;
  inText: boolean;
  escaped: boolean;
}

/** Whether the arguments are a closed JSON object. Looks only at brackets: enough to know that something ended. */
function isComplete({ pieces, nesting }: OpenCall): boolean {
  for (; nesting.scanned < pieces.length; nesting.scanned++) {
    for (const character of pieces[nesting.scanned]!) {
      if (nesting.escaped) nesting.escaped = false;
      else if (nesting.inText) {
        if (character === "\\") nesting.escaped = true;
        else if (character === '"') nesting.inText = false;
      } else if (character === '"') nesting.inText = true;
      else if (character === "{" || character === "[") nesting.depth++;
      else if (character === "}" || character === "]") nesting.depth--;
    }
  }
  return pieces.length > 0 && nesting.depth === 0 && !nesting.inText;
}

import type { MessageReply } from "../reply.js";
import type { FinishReason, ReplyHead, Wire, WireUsage } from "../wire/wire.js";
import { contentEvents, countContentTokens } from "./plan-packets.js";

/** The stream of a reply up to its closing event, ready but for the id, which goes between the fragments. */
export interface PreparedStream {
  readonly fragments: readonly string[];
  readonly tokens: number;
  /** The closing events, written by the writer that wrote what is before them. */
  close(finish: FinishReason, usage: WireUsage, id: string): string;
}

interface Kept extends PreparedStream {
  readonly wire: Wire;
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly includeUsage: boolean;
}

/** Scripts hand out the same reply objects again and again; writing JSON and counting tokens is done once for each. */
const kept = new WeakMap<MessageReply, Kept>();

export function prepareStream(reply: MessageReply, wire: Wire, head: ReplyHead): PreparedStream {
  const known = kept.get(reply);
  const { model, createdAtSeconds, includeUsage } = head;
  if (known?.wire === wire && known.model === model && known.createdAtSeconds === createdAtSeconds && known.includeUsage === includeUsage)
    return known;
  const mark = markAbsentFrom(JSON.stringify([reply, head.model]));
  const writer = wire.stream({ ...head, id: mark });
  let text = writer.open();
  for (const event of contentEvents(reply, { tokensPerEvent: reply.pace?.tokensPerEvent ?? null, stamp: null }))
    text += event.write(writer);
  const prepared: Kept = {
    wire,
    model,
    createdAtSeconds,
    includeUsage,
    fragments: text.split(mark),
    tokens: countContentTokens(reply),
    close: (finish, usage, id) => writer.close(finish, usage).split(mark).join(id),
  };
  kept.set(reply, prepared);
  return prepared;
}

/** A private-use character, repeated until the reply itself does not contain it. */
function markAbsentFrom(json: string): string {
  let mark = "\uE000";
  while (json.includes(mark)) mark += "\uE000";
  return mark;
}

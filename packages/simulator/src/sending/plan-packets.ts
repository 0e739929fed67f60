import type { Pace, ReplyContent } from "../reply.js";
import { countTokens, splitTokens } from "../tokens.js";
import type { StreamWriter } from "../wire/wire.js";

/** One event of content: written when it is due, so that its text can carry the time. */
export interface ContentEvent {
  readonly tokens: number;
  write(writer: StreamWriter): string;
}

/** Events that are written together, `dueMs` after the reply began. */
export interface Packet {
  readonly dueMs: number;
  readonly tokens: number;
  readonly events: readonly ContentEvent[];
}

export interface EventOptions {
  /** `null`: each part of the content is one event. */
  readonly tokensPerEvent: number | null;
  /** What to write in the place of a text token; see `SimulatorOptions.stamps`. */
  readonly stamp: (() => string) | null;
}

/** The content of a reply as events, in the order in which they are said. */
export function contentEvents(content: ReplyContent, options: EventOptions): readonly ContentEvent[] {
  const events: ContentEvent[] = [];
  const say = (text: string, write: (writer: StreamWriter, piece: string) => string, stamp: (() => string) | null = null): void => {
    for (const piece of pieces(text, options.tokensPerEvent)) {
      events.push({
        tokens: piece.tokens,
        write: (writer) => write(writer, stamp === null ? piece.text : Array.from({ length: piece.tokens }, stamp).join("")),
      });
    }
  };
  say(content.reasoning ?? "", (writer, piece) => writer.reasoning(piece));
  say(content.text ?? "", (writer, piece) => writer.text(piece), options.stamp);
  for (const [index, call] of (content.toolCalls ?? []).entries()) {
    events.push({ tokens: countTokens(call.name), write: (writer) => writer.callStart(index, call.name) });
    say(JSON.stringify(call.input), (writer, piece) => writer.callInput(index, piece));
  }
  return events;
}

/** Tokens of a reply: what `contentEvents` adds up to, without building them. */
export function countContentTokens(content: ReplyContent): number {
  let tokens = countTokens(content.reasoning ?? "") + countTokens(content.text ?? "");
  for (const call of content.toolCalls ?? []) tokens += countTokens(call.name) + countTokens(JSON.stringify(call.input));
  return tokens;
}

/**
 * Groups events into packets of at least `tokensPerPacket` tokens. A packet is due when its last token is: the first
 * token after `firstTokenMs`, each further one `1 / tokensPerSecond` later. Content without tokens is one empty packet.
 */
export function planPackets(events: readonly ContentEvent[], pace: Pace): readonly Packet[] {
  const perPacket = pace.tokensPerSecond > 0 ? Math.max(1, pace.tokensPerPacket ?? 1) : Number.POSITIVE_INFINITY;
  const tokenMs = pace.tokensPerSecond > 0 ? 1000 / pace.tokensPerSecond : 0;
  const packets: Packet[] = [];
  let pending: ContentEvent[] = [];
  let pendingTokens = 0;
  let written = 0;
  const flush = (): void => {
    written += pendingTokens;
    packets.push({ dueMs: pace.firstTokenMs + Math.max(0, written - 1) * tokenMs, tokens: pendingTokens, events: pending });
    pending = [];
    pendingTokens = 0;
  };
  for (const event of events) {
    pending.push(event);
    pendingTokens += event.tokens;
    if (pendingTokens >= perPacket) flush();
  }
  if (pending.length > 0 || packets.length === 0) flush();
  return packets;
}

function pieces(text: string, tokensPerEvent: number | null): readonly { readonly text: string; readonly tokens: number }[] {
  if (text === "") return [];
  if (tokensPerEvent === null) return [{ text, tokens: countTokens(text) }];
  const tokens = splitTokens(text);
  const size = Math.max(1, tokensPerEvent);
  return Array.from({ length: Math.ceil(tokens.length / size) }, (_, index) => {
    const slice = tokens.slice(index * size, (index + 1) * size);
    return { text: slice.join(""), tokens: slice.length };
  });
}

import { type SimulatedApi, type SimulatedReply, startSimulator } from "@massgen/simulator";
import { openBackend } from "./apis.js";
import { type ReadTurn, readTurn } from "./read-turn.js";

/** What the fake vendor sends to one request, to be read again without a network. */
export interface RecordedReply {
  /** Each event of the stream by itself. */
  readonly events: readonly Uint8Array[];
  readonly turn: ReadTurn;
}

export async function recordReply(
  api: SimulatedApi,
  reply: Extract<SimulatedReply, { kind: "message" }>,
  tokensPerEvent = 1,
): Promise<RecordedReply> {
  const pace = { firstTokenMs: 0, tokensPerSecond: 0, tokensPerEvent };
  const simulator = await startSimulator({ respond: () => ({ ...reply, pace }), bodies: "forget" });
  try {
    const sent: Promise<string>[] = [];
    const listening: typeof globalThis.fetch = async (...request) => {
      const response = await globalThis.fetch(...request);
      sent.push(response.clone().text());
      return response;
    };
    const turn = await readTurn(openBackend(api, { baseUrl: simulator.baseUrl(api), model: "bench", fetch: listening }));
    const [text = ""] = await Promise.all(sent);
    const encoder = new TextEncoder();
    return { events: text.split(/(?<=\r?\n\r?\n)/).map((event) => encoder.encode(event)), turn };
  } finally {
    await simulator.close();
  }
}

/** A `fetch` that answers with these pieces, one read each, at once. */
export const replaying = (pieces: readonly Uint8Array[]): typeof globalThis.fetch => {
  return () => Promise.resolve(replayed(pieces));
};

export function replayed(pieces: readonly Uint8Array[]): Response {
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[next++];
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

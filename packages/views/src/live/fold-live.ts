import type { AgentId, Delta, Recorded, RunEvent } from "@massgen/contracts";
import { describeRecord } from "../describe-record.js";
import { foldRecord } from "../run-view.js";
import { type LiveView, MAX_MOMENTS, type Moment, type Piece, STREAM_CHARS, type Stream, toneOf } from "./live-view.js";

/** What is watched after one more event of the run. Pure; other fields of the state are kept. */
export const foldLive = <S extends LiveView>(state: S, event: RunEvent): S =>
  "seq" in event ? foldFact(state, event) : foldDelta(state, event);

function foldFact<S extends LiveView>(state: S, record: Recorded): S {
  const view = foldRecord(state.view, record);
  const sentence = describeRecord(record, view);
  const moments = sentence === null ? state.moments : [...state.moments, momentOf(record, sentence, view.startedAt ?? record.at)];
  return {
    ...state,
    view,
    moments: moments.length > MAX_MOMENTS ? moments.slice(-MAX_MOMENTS / 2) : moments,
    streams: streamsAfter(state.streams, record),
    requests: requestsAfter(state.requests, record),
  };
}

function momentOf(record: Recorded, sentence: string, startedAt: number): Moment {
  const who = "agent" in record && typeof record.agent === "string" ? record.agent : null;
  return { seq: record.seq, elapsedMs: record.at - startedAt, who, text: sentence, tone: toneOf(record) };
}

function streamsAfter(streams: LiveView["streams"], record: Recorded): LiveView["streams"] {
  switch (record.type) {
    case "tool_start":
      return change(streams, record.agent, (stream) =>
        add(stream, { kind: "tool", callId: record.callId, name: record.name, args: record.argsPreview, result: null }),
      );
    case "tool_complete": {
      const { ok, resultPreview: preview, durationMs } = record;
      return change(streams, record.agent, (stream) => ({
        ...stream,
        pieces: stream.pieces.map((piece) =>
          piece.kind === "tool" && piece.callId === record.callId ? { ...piece, result: { ok, preview, durationMs } } : piece,
        ),
      }));
    }
    case "round_started":
      return change(streams, record.agent, (stream) => add(stream, { kind: "mark", text: `round ${record.round}` }));
    case "presentation_started":
      return change(streams, record.agent, (stream) => add(stream, { kind: "mark", text: "final answer" }));
    case "answer_submitted":
      // Answers come as arguments of a tool, which no stream shows while they are written.
      return change(streams, record.agent, (stream) =>
        add(add(stream, { kind: "mark", text: `submits ${record.label}` }), { kind: "text", text: record.content }),
      );
    case "vote_cast":
      return change(streams, record.agent, (stream) =>
        add(add(stream, { kind: "mark", text: `votes for ${record.targetLabel}` }), { kind: "text", text: record.reason }),
      );
    default:
      return streams;
  }
}

function requestsAfter(requests: LiveView["requests"], record: Recorded): LiveView["requests"] {
  switch (record.type) {
    case "request_opened":
      return [...requests, { request: record.request, at: record.at }];
    case "request_closed":
      return requests.filter(({ request }) => request.id !== record.requestId);
    case "run_finished":
    // Whoever asked in an earlier process waits no more.
    case "run_resumed":
      return requests.length === 0 ? requests : [];
    default:
      return requests;
  }
}

function foldDelta<S extends LiveView>(state: S, delta: Delta): S {
  switch (delta.type) {
    case "response_started":
      return { ...state, streams: change(state.streams, delta.agent, close) };
    case "content_delta":
      return { ...state, streams: change(state.streams, delta.agent, (stream) => write(stream, "text", delta.text)) };
    case "reasoning_delta":
      return { ...state, streams: change(state.streams, delta.agent, (stream) => write(stream, "reasoning", delta.text)) };
    case "content_discarded":
      return {
        ...state,
        streams: change(state.streams, delta.agent, (stream) =>
          add({ ...stream, open: null }, { kind: "mark", text: "broke off, tries again" }),
        ),
      };
    case "notice":
      return delta.level === "info" ? state : { ...state, notices: [...state.notices.slice(-19), delta.message] };
    default:
      return state;
  }
}

const EMPTY: Stream = { pieces: [], open: null };

function change(streams: LiveView["streams"], agent: AgentId, next: (stream: Stream) => Stream): LiveView["streams"] {
  return new Map(streams).set(agent, next(streams.get(agent) ?? EMPTY));
}

function write(stream: Stream, kind: "text" | "reasoning", text: string): Stream {
  if (stream.open?.kind !== kind) return bounded({ ...close(stream), open: { kind, text } });
  return { ...stream, open: { kind, text: (stream.open.text + text).slice(-STREAM_CHARS) } };
}

const close = (stream: Stream): Stream =>
  stream.open === null || stream.open.text.trim() === ""
    ? { ...stream, open: null }
    : bounded({ pieces: [...stream.pieces, stream.open], open: null });

const add = (stream: Stream, piece: Piece): Stream => {
  const closed = close(stream);
  return bounded({ ...closed, pieces: [...closed.pieces, piece] });
};

function bounded(stream: Stream): Stream {
  let chars = 0;
  let from = stream.pieces.length;
  while (from > 0 && chars < STREAM_CHARS) chars += sizeOf(stream.pieces[--from]);
  return from === 0 ? stream : { ...stream, pieces: stream.pieces.slice(from) };
}

const sizeOf = (piece: Piece | undefined): number =>
  piece === undefined ? 0 : piece.kind === "tool" ? piece.args.length + (piece.result?.preview.length ?? 0) + 80 : piece.text.length + 20;

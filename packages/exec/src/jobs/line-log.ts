import { StringDecoder } from "node:string_decoder";
import { cleanText } from "../output/clean-text.js";
import type { StreamName } from "../process/output.js";

/** Lines of a job that are still kept: the newest, by their number since its start. */
export interface LinesRead {
  readonly lines: readonly string[];
  /** To be given as `since` to read on. */
  readonly next: number;
  /** Lines after `since` that were dropped before they were read. */
  readonly lost: number;
  /** More lines are there already: this many. */
  readonly waiting: number;
  /** The beginning of a line that is not finished, such as a prompt; it is told again when it is. */
  readonly unfinished: string;
}

export interface LineLog {
  add(stream: StreamName, chunk: Buffer): void;
  /** The last lines have no end of line. */
  end(): void;
  /** At most `maxCharacters`, but at least one line. */
  readSince(since: number, maxCharacters?: number): LinesRead;
}

export interface LineLogLimits {
  readonly lines: number;
  readonly characters: number;
}

const LIMITS: LineLogLimits = { lines: 10_000, characters: 2 * 1024 * 1024 };
/** A line longer than this is broken: it may never end. */
const LONGEST_LINE = 64 * 1024;

/** The newest lines of both streams in order of arrival, in bounded memory. */
export function createLineLog(limits: LineLogLimits = LIMITS): LineLog {
  let lines: string[] = [];
  /** Where the kept lines begin in `lines`, so that dropping one costs nothing. */
  let start = 0;
  let dropped = 0;
  let characters = 0;
  const streams = {
    stdout: { decoder: new StringDecoder("utf8"), partial: "" },
    stderr: { decoder: new StringDecoder("utf8"), partial: "" },
  };

  const push = (raw: string): void => {
    const line = cleanText(raw);
    lines.push(line);
    characters += line.length;
    while (lines.length - start > limits.lines || (characters > limits.characters && lines.length - start > 1)) {
      characters -= lines[start]?.length ?? 0;
      start += 1;
      dropped += 1;
    }
    if (start > limits.lines) {
      lines = lines.slice(start);
      start = 0;
    }
  };

  return {
    add(stream, chunk) {
      const state = streams[stream];
      const pieces = (state.partial + state.decoder.write(chunk)).split("\n");
      state.partial = pieces.pop() ?? "";
      for (const piece of pieces) push(piece);
      if (state.partial.length > LONGEST_LINE) {
        push(state.partial);
        state.partial = "";
      }
    },
    end() {
      for (const state of [streams.stdout, streams.stderr]) {
        const rest = state.partial + state.decoder.end();
        if (rest !== "") push(rest);
        state.partial = "";
      }
    },
    readSince(since, maxCharacters = Number.POSITIVE_INFINITY) {
      const newest = dropped + lines.length - start;
      const from = Math.min(Math.max(since, dropped), newest);
      const read: string[] = [];
      let length = 0;
      for (let at = start + from - dropped; at < lines.length; at++) {
        const line = lines[at] ?? "";
        length += line.length + 1;
        if (length > maxCharacters && read.length > 0) break;
        read.push(line);
      }
      return {
        lines: read,
        next: from + read.length,
        lost: Math.max(0, dropped - Math.max(0, since)),
        waiting: newest - from - read.length,
        unfinished: cleanText(streams.stdout.partial + streams.stderr.partial),
      };
    },
  };
}

import { byCharacter, type Captured, createCapture, openSpill, type Spill } from "./capture.js";

export type StreamName = "stdout" | "stderr";

export interface OutputOptions {
  /** Bytes kept in memory of each stream and of both together, half from the beginning and half from the end. */
  readonly keepBytes: number;
  /** Where both streams go, raw and in order of arrival, once they are long; `null` for nowhere. */
  readonly spill: SpillPlace | null;
  onChunk?(stream: StreamName, chunk: Buffer): void;
}

export interface SpillPlace {
  /** Made when it is needed. */
  readonly folder: string;
  readonly fileName: string;
  /** The file is begun when there is more than this. */
  readonly aboveBytes: number;
  readonly capBytes: number;
}

export interface Output {
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** Both, in order of arrival. */
  readonly both: Captured;
  /** The file with more of it; `null` when everything is here or there is no such file. */
  readonly spilledTo: string | null;
}

export interface OutputCollector {
  readonly totalBytes: number;
  add(stream: StreamName, chunk: Buffer): void;
  /** What there is so far; the collector goes on. */
  read(): Output;
  close(): void;
}

/** Bounded memory for output of any length. */
export function collectOutput(options: OutputOptions): OutputCollector {
  const stdout = createCapture(options.keepBytes);
  const stderr = createCapture(options.keepBytes);
  const both = createCapture(options.keepBytes);
  let totalBytes = 0;
  let held: Buffer[] = [];
  let spill: Spill | null = null;
  let maySpill = options.spill !== null;

  const keepForSpill = (chunk: Buffer): void => {
    spill?.add(chunk);
    if (spill !== null || !maySpill || options.spill === null) return;
    held.push(chunk);
    if (totalBytes <= options.spill.aboveBytes) return;
    try {
      spill = openSpill(options.spill.folder, options.spill.fileName, options.spill.capBytes);
      for (const earlier of held) spill.add(earlier);
    } catch {
      // The command goes on without the file; the result then names none.
      maySpill = false;
    }
    held = [];
  };

  const mix = (chunk: Buffer): void => {
    both.add(chunk);
    keepForSpill(chunk);
  };
  const mixers = { stdout: byCharacter(mix), stderr: byCharacter(mix) };

  return {
    get totalBytes() {
      return totalBytes;
    },
    add(stream, chunk) {
      totalBytes += chunk.length;
      (stream === "stdout" ? stdout : stderr).add(chunk);
      mixers[stream].push(chunk);
      options.onChunk?.(stream, chunk);
    },
    read: () => ({ stdout: stdout.read(), stderr: stderr.read(), both: both.read(), spilledTo: spill?.path ?? null }),
    close() {
      mixers.stdout.end();
      mixers.stderr.end();
      spill?.close();
      held = [];
    },
  };
}

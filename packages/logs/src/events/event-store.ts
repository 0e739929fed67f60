import { resolve } from "node:path";
import { type EventStore, MassgenError, type Recorded, type RunId } from "@massgen/contracts";
import { emptyRunView, type RunView } from "@massgen/views";
import { createStepFolders, type StepFolders } from "../files/step-folders.js";
import { systemZone, type ZoneOffset } from "../local-time.js";
import { createRedactor, type Redactor } from "../redact/redactor.js";
import { createEventStream, type EventStream } from "./event-stream.js";
import { type EventWriter, openEventWriter } from "./event-writer.js";
import { eventsFileIn } from "./read-decisions.js";

export interface EventsFileStoreOptions {
  /** The log folder of a run, absolute; `null` for runs this store does not keep. */
  readonly folderOf: (runId: RunId) => string | null;
  /** Default: knows the shapes of vendors' keys and no secret of yours. */
  readonly redactor?: Redactor;
  /** Default: the zone of this machine. */
  readonly zone?: ZoneOffset;
  readonly folders?: StepFolders;
  readonly marks?: Readonly<Record<string, boolean>>;
  /** What stands in other files before the one to be written. Default: nothing. */
  readonly before?: () => Promise<RunView>;
  /** Told what a file that was written came to, with all that was before it. */
  readonly onClosed?: (view: RunView) => void;
  /** Told once, in words for people, when the disk fails and the log goes on in memory. */
  readonly onWarning?: (message: string) => void;
}

/** An `EventStore` in files: one `events.jsonl` per run, answers in files of their own beside it (docs/spec/logs.md 4.6). */
export interface EventsFileStore extends EventStore {
  /**
   * Takes the right to write the log of this run at once, and gives what is in it; a decision that a crash tore is cut off.
   * @throws MassgenError `STORE_CONFLICT` when another process writes it, `STORE_FAILED` when it is damaged.
   */
  claim(runId: RunId): Promise<readonly Recorded[]>;
  /** Everything is on the disk and the files are closed. Readers that follow stay and look at the disk from then on. */
  close(): Promise<void>;
}

/** Streams that are open in this process, by file: two stores over the same file must see each other's appends. */
const streams = new Map<string, { readonly stream: EventStream; users: number }>();

export function createEventsFileStore(options: EventsFileStoreOptions): EventsFileStore {
  const mine = new Map<string, EventStream>();

  function streamOf(runId: RunId): EventStream | null {
    const folder = options.folderOf(runId);
    if (folder === null) return null;
    const file = resolve(eventsFileIn(folder));
    const known = mine.get(file);
    if (known !== undefined) return known;
    const shared = streams.get(file) ?? { stream: createEventStream(runId, file, () => openWriter(file, options)), users: 0 };
    shared.users += 1;
    streams.set(file, shared);
    mine.set(file, shared.stream);
    return shared.stream;
  }

  return {
    async append(runId, after, decision, durability) {
      const stream = streamOf(runId);
      if (stream === null) throw new MassgenError("STORE_FAILED", `This log folder does not keep run ${runId}.`);
      await stream.append(after, decision, durability);
    },
    async *read(runId, readOptions = {}) {
      const stream = streamOf(runId);
      if (stream !== null) yield* stream.read(readOptions);
    },
    async claim(runId) {
      const stream = streamOf(runId);
      if (stream === null) throw new MassgenError("STORE_FAILED", `This log folder does not keep run ${runId}.`);
      return stream.claim();
    },
    async close() {
      for (const [file, stream] of mine) {
        const shared = streams.get(file);
        if (shared === undefined || shared.stream !== stream) continue;
        shared.users -= 1;
        if (shared.users > 0) continue;
        streams.delete(file);
        await stream.close();
      }
      mine.clear();
    },
  };
}

const openWriter = (
  file: string,
  { redactor, zone = systemZone, folders, marks = {}, before, onClosed = () => {}, onWarning = () => {} }: EventsFileStoreOptions,
): Promise<EventWriter> =>
  openEventWriter({
    file,
    zone,
    marks,
    onWarning,
    onClosed,
    before: before ?? (() => Promise.resolve(emptyRunView)),
    redactor: redactor ?? createRedactor([]),
    folders: folders ?? createStepFolders(zone),
  });

import type { Recorded } from "@massgen/contracts";
import { decisionsIn, type Redactor, readLogEntry, turnFolders } from "@massgen/logs";
import { describeRecord, emptyRunView, foldRecord, type RunView } from "@massgen/views";

/** Something that happened, as one sentence. */
export interface Moment {
  readonly seq: number;
  readonly elapsedMs: number;
  readonly type: Recorded["type"];
  readonly text: string;
}

/** A turn as its log tells it, secrets taken out before anything was made of it. */
export interface TurnRecord {
  readonly turn: number;
  readonly folder: string;
  readonly view: RunView;
  readonly moments: readonly Moment[];
  /** Moments behind the last one that is kept: a page of a million rows opens nowhere. */
  readonly moreMoments: number;
}

export interface LogRecord {
  readonly name: string;
  readonly folder: string;
  readonly simulated: boolean;
  readonly turns: readonly TurnRecord[];
}

/** Rows of a timeline. */
const MOST_MOMENTS = 3_000;

/** `wanted`: which turns; all of them by default. @throws MassgenError `STORE_FAILED` when there is no log or it is damaged */
export async function readLogRecord(
  root: string,
  redactor: Redactor,
  wanted: (turn: number, last: number) => boolean = () => true,
): Promise<LogRecord> {
  const { name, simulated } = await readLogEntry(root);
  const folders = await turnFolders(root);
  const last = folders.at(-1)?.turn ?? 1;
  const turns: TurnRecord[] = [];
  for (const { turn, folder } of folders) if (wanted(turn, last)) turns.push(await readTurn(turn, folder, redactor));
  return { name: redactor.text(name), folder: root, simulated, turns };
}

const readTurn = (turn: number, folder: string, redactor: Redactor): Promise<TurnRecord> =>
  foldTurn({ turn, folder }, decisionsIn(folder), redactor);

/** A turn from its decisions, wherever they come from. */
export async function foldTurn(
  place: { readonly turn: number; readonly folder: string },
  decisions: AsyncIterable<readonly Recorded[]> | Iterable<readonly Recorded[]>,
  redactor: Redactor,
): Promise<TurnRecord> {
  let view = emptyRunView;
  let moreMoments = 0;
  const moments: Moment[] = [];
  for await (const decision of decisions) {
    for (const record of decision) {
      const clean = redactor.value(record);
      view = foldRecord(view, clean);
      const text = describeRecord(clean, view);
      if (text === null) continue;
      if (moments.length >= MOST_MOMENTS) moreMoments += 1;
      else moments.push({ seq: clean.seq, elapsedMs: clean.at - (view.startedAt ?? clean.at), type: clean.type, text });
    }
  }
  return { ...place, view, moments, moreMoments };
}

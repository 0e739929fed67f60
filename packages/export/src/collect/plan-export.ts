import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { MassgenError } from "@massgen/contracts";
import type { Redactor } from "@massgen/logs";
import { renderPage } from "../page/page.js";
import { type LogRecord, readLogRecord } from "../read-turn.js";
import { cleanFile } from "./clean-file.js";
import { manifestOf } from "./manifest.js";
import { kindOf, type SkipReason } from "./which-files.js";

export interface ExportFile {
  /** Below the export, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly isText: boolean;
  /** A secret was taken out that was in the file. */
  readonly redacted: boolean;
  /** The bytes as they travel, without secrets. */
  readonly read: () => Promise<Uint8Array>;
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: SkipReason;
}

/** Everything that would travel, and what would not; nothing is written yet. */
export interface ExportPlan {
  readonly log: LogRecord;
  /** The page alone. */
  readonly page: string;
  /** The page as `index.html`, the record, the delivered files and the manifest, in that order. */
  readonly files: readonly ExportFile[];
  readonly skipped: readonly SkippedFile[];
  readonly bytes: number;
}

export interface ExportOptions {
  readonly redactor: Redactor;
  readonly turns?: TurnChoice;
  /** Bytes of delivered files of one turn that travel; `null` leaves them out. Default: 500,000. */
  readonly workspaceLimitBytes?: number | null;
  /** Milliseconds since 1970, for the manifest. */
  readonly now: number;
}

/** `from` to `to`, both included. */
export type TurnChoice = "all" | "latest" | { readonly from: number; readonly to: number };

const WORKSPACE_LIMIT_BYTES = 500_000;
/** Larger single files stay behind. */
const MOST_BYTES = 50_000_000;

/**
 * What an export of a log would hold. Every text is read and cleaned once more, so that the sizes are those that travel.
 *
 * @throws MassgenError `STORE_FAILED` when the log cannot be read, `CONFIG_INVALID` when no turn is left
 */
export async function planExport(root: string, options: ExportOptions): Promise<ExportPlan> {
  const { redactor, turns = "all", workspaceLimitBytes = WORKSPACE_LIMIT_BYTES, now } = options;
  const log = await readLogRecord(root, redactor, (turn, last) => isWanted(turns, turn, last));
  if (log.turns.length === 0)
    throw new MassgenError("CONFIG_INVALID", `${root} has none of the turns that were asked for.`, { exitCode: 1 });
  const skipped: SkippedFile[] = [];
  const record: ExportFile[] = [];
  const delivered: ExportFile[] = [];
  for (const { folder } of log.turns) {
    let left = workspaceLimitBytes ?? 0;
    for (const path of await filesBelow(folder, skipped, root)) {
      const kind = kindOf(path);
      const reason =
        kind !== "record" && kind !== "workspace"
          ? kind
          : kind === "workspace" && workspaceLimitBytes === null
            ? "workspaces are left out"
            : null;
      const file = reason ?? (await planFile(root, path, redactor));
      if (typeof file === "string") skipped.push({ path: redactor.text(path), reason: file });
      else if (kind === "record") record.push(file);
      else if (file.bytes > left) skipped.push({ path: file.path, reason: "over the limit of the workspace" });
      else {
        left -= file.bytes;
        delivered.push(file);
      }
    }
  }
  const page = renderPage(log);
  const withFiles = renderPage(log, { files: delivered });
  const travelling = [madeFile("index.html", withFiles), ...record, ...delivered];
  const files = [...travelling, madeFile("_session_manifest.json", manifestOf(log, travelling, now))];
  return { log, page, files, skipped, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

const isWanted = (turns: TurnChoice, turn: number, last: number): boolean =>
  turns === "all" || (turns === "latest" ? turn === last : turn >= turns.from && turn <= turns.to);

async function planFile(root: string, path: string, redactor: Redactor): Promise<ExportFile | SkipReason> {
  const file = join(root, path);
  try {
    if ((await stat(file)).size > MOST_BYTES) return "too large";
    const cleaned = cleanFile(path, await readFile(file), redactor);
    if (cleaned.is === "secret") return "holds a secret in bytes that are no text";
    const read = async (): Promise<Uint8Array> => {
      const again = cleanFile(path, await readFile(file), redactor);
      if (again.is === "secret")
        throw new MassgenError("STORE_FAILED", `${file} changed while it was exported and now holds a secret.`, { exitCode: 2 });
      return again.bytes;
    };
    return { path: redactor.text(path), bytes: cleaned.bytes.length, isText: cleaned.is === "text", redacted: cleaned.redacted, read };
  } catch (error) {
    if (MassgenError.is(error)) throw error;
    return "cannot be read";
  }
}

function madeFile(path: string, text: string): ExportFile {
  const bytes = Buffer.from(text, "utf8");
  return { path, bytes: bytes.length, isText: true, redacted: false, read: () => Promise.resolve(bytes) };
}

/** Regular files below a folder, as paths below `root` with `/`, sorted; links are never followed. */
async function filesBelow(folder: string, skipped: SkippedFile[], root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const name = relative(root, path).split(sep).join("/");
    if (entry.isDirectory()) found.push(...(await filesBelow(path, skipped, root)));
    else if (entry.isFile()) found.push(name);
    else skipped.push({ path: name, reason: kindOf(name) === "workspace" ? "link or special file" : "not part of an export" });
  }
  return found.toSorted();
}

import { resolve } from "node:path";
import { type CleanPlan, clean, type Keepsake, planClean } from "@massgen/logs";
import { sessionPlaces } from "@massgen/sdk";
import { excerpt, plainTable } from "@massgen/views";
import type { CleanRequest } from "../args/clean-request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { cells } from "../output/columns.js";
import { visibleJson, visibleLine } from "../output/visible-text.js";
import { logBase } from "./logs/find-logs.js";

/** `massgen clean`: removes old logs and the conversations they are the record of, after showing them and asking. */
export async function cleanUp(request: CleanRequest, io: Io): Promise<ExitCode> {
  const base = await logBase(io);
  const warn = (message: string): void => io.err.write(`massgen: warning: ${visibleLine(message)}\n`);
  const places = sessionPlaces({ cwd: resolve(io.cwd), env: io.env, onWarning: warn });
  const plan = await planClean({ base, places, olderThanMs: request.olderThanMs, maxBytes: request.maxBytes });
  if (!request.json) (request.dryRun ? io.out : io.err).write(tableOf(plan, places.now()));
  if (request.dryRun || plan.removed.length === 0) {
    if (request.json) io.out.write(`${visibleJson({ dry_run: request.dryRun, ...jsonOf(plan.removed), kept: plan.kept.length })}\n`);
    else if (plan.removed.length > 0) io.err.write("massgen: note: nothing was removed (--dry-run)\n");
    return 0;
  }
  if (!request.yes) {
    if (!io.stdinIsTerminal || request.json) {
      io.err.write("massgen: error: nobody is there to be asked, so nothing was removed\nSay that it may be removed with: --yes\n");
      return 1;
    }
    const answer = await io.ask("Remove them for good? [y/N] ");
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) {
      io.err.write("Nothing was removed.\n");
      return 0;
    }
  }
  const { removed, left } = await clean(plan.removed, { base, places });
  for (const { keepsake, reason } of left) warn(`${keepsake.name} was left: ${reason}`);
  if (request.json) io.out.write(`${visibleJson({ dry_run: false, ...jsonOf(removed), kept: plan.kept.length + left.length })}\n`);
  else io.out.write(`Removed ${removed.length}, ${sizeText(removed.reduce((sum, { bytes }) => sum + bytes, 0))}.\n`);
  return left.some(({ reason }) => reason !== "it is in use") ? 2 : 0;
}

const jsonOf = (removed: readonly Keepsake[]): object => ({
  removed: removed.map(({ name, log, session, bytes, lastUsedAt }) => ({
    name,
    log_dir: log,
    session_dir: session,
    bytes,
    last_used: lastUsedAt / 1000,
  })),
  removed_bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
});

const COLUMNS = [{ title: "log" }, { title: "last used" }, { title: "size", align: "right" }, { title: "question" }] as const;

function tableOf({ removed, kept, bytes, removedBytes }: CleanPlan, now: number): string {
  const inUse = kept.filter((one) => one.inUse).length;
  const rest = `${kept.length} ${kept.length === 1 ? "stays" : "stay"}, ${sizeText(bytes - removedBytes)}${inUse === 0 ? "" : `; ${inUse} of them in use`}.\n`;
  if (removed.length === 0) return `Nothing to remove. ${rest}`;
  const rows = removed.map(({ name, session, log, bytes: own, lastUsedAt, question }) => [
    `${visibleLine(name)}${session !== null && log !== null ? " with its conversation" : session !== null ? " (conversation)" : ""}`,
    ageText(now - lastUsedAt),
    sizeText(own),
    visibleLine(excerpt(question ?? "-", 60)),
  ]);
  return `${plainTable(COLUMNS, rows, cells)}\n${removed.length} to remove, ${sizeText(removedBytes)}. ${rest}`;
}

const ageText = (ms: number): string => (ms < 86_400_000 ? `${Math.floor(ms / 3_600_000)} h ago` : `${Math.floor(ms / 86_400_000)} d ago`);

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;

import { resolve } from "node:path";
import { createShare, type ExportFile, type ExportPlan, forGist, formOf, planExport, type SkippedFile, writeExport } from "@massgen/export";
import { createRedactor, secretsInEnvironment } from "@massgen/logs";
import type { ExportRequest } from "../../args/export-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { cut } from "../../output/columns.js";
import { visibleJson, visibleLine } from "../../output/visible-text.js";
import { environmentOf, logFolder } from "../logs/find-logs.js";
import { ghOf } from "./gh.js";

/** What would travel, and where to. */
interface Parcel {
  readonly files: readonly ExportFile[];
  readonly skipped: readonly SkippedFile[];
  readonly bytes: number;
}

/** `massgen export`: a run as a page, a folder, a zip, or a secret gist. */
export async function exportLog(request: ExportRequest, io: Io): Promise<ExitCode> {
  const env = await environmentOf(io);
  const folder = await logFolder(request.log, io);
  const redactor = createRedactor([...secretsInEnvironment(io.env), ...secretsInEnvironment(env)]);
  const { turns, workspaceLimitBytes } = request;
  const plan = await planExport(folder, {
    redactor,
    turns,
    now: Date.now(),
    ...(workspaceLimitBytes === undefined ? {} : { workspaceLimitBytes }),
  });
  return request.gist ? shareIt(plan, request, io) : writeIt(plan, request, io);
}

async function writeIt(plan: ExportPlan, request: ExportRequest, io: Io): Promise<ExitCode> {
  const path = resolve(io.cwd, request.to ?? `${plan.log.name}.html`);
  const isPage = formOf(path) === "page";
  const parcel = isPage ? pageAlone(plan) : plan;
  if (request.dryRun) return tell(parcel, { path }, request, io);
  await writeExport(plan, path, { replace: request.yes });
  if (request.verbose && !request.json) io.err.write(listing(parcel, true));
  if (request.json) io.out.write(`${visibleJson({ path, files: parcel.files.length, size: parcel.bytes })}\n`);
  else io.out.write(`${visibleLine(path)}\n`);
  if (!request.json) io.err.write(summary(parcel));
  return 0;
}

async function shareIt(plan: ExportPlan, request: ExportRequest, io: Io): Promise<ExitCode> {
  const { files, skipped } = forGist(plan);
  const parcel = { files, skipped: [...plan.skipped, ...skipped], bytes: sizeOf(files) };
  if (request.dryRun) return tell(parcel, { url: null }, request, io);
  // What leaves the machine is shown before it leaves, whether or not anybody is asked.
  if (!request.json) io.err.write(listing(parcel, request.verbose) + summary(parcel));
  if (!request.yes) {
    if (!io.stdinIsTerminal) {
      io.err.write("massgen: error: nobody is there to be asked, so nothing was uploaded\nSay that it may be uploaded with: --yes\n");
      return 1;
    }
    const answer = await io.ask("Upload this as a secret gist? Whoever has the link can read it. [y/N] ");
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) {
      io.err.write("Nothing was uploaded.\n");
      return 0;
    }
  }
  const share = await createShare(plan, files, ghOf(io));
  if (request.json) io.out.write(`${visibleJson({ url: share.url, files: files.length, size: parcel.bytes })}\n`);
  else io.out.write(`${visibleLine(share.url)}\n`);
  if (!request.json) io.err.write(`Take it back with: massgen shares delete ${visibleLine(share.id)}\n`);
  return 0;
}

const sizeOf = (files: readonly { readonly bytes: number }[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

function pageAlone(plan: ExportPlan): Parcel {
  const bytes = Buffer.byteLength(plan.page);
  const files = [{ path: "index.html", bytes, isText: true, redacted: false, read: () => Promise.resolve(Buffer.from(plan.page)) }];
  return { files, skipped: [], bytes };
}

function tell(parcel: Parcel, where: object, { json }: ExportRequest, io: Io): ExitCode {
  if (!json) {
    io.out.write(listing(parcel, true) + summary(parcel));
    io.err.write("massgen: note: nothing was written (--dry-run)\n");
    return 0;
  }
  const listed = parcel.files.map(({ path, bytes, redacted }) => ({ path, bytes, redacted }));
  io.out.write(
    `${visibleJson({ ...where, dry_run: true, files: parcel.files.length, size: parcel.bytes, listed, skipped: parcel.skipped })}\n`,
  );
  return 0;
}

const listing = ({ files, skipped }: Parcel, isWhole: boolean): string =>
  [
    ...files.map(
      ({ path, bytes, redacted }) =>
        `${size(bytes).padStart(9)}  ${cut(visibleLine(path), 120)}${redacted ? "  (a secret was taken out)" : ""}`,
    ),
    ...(isWhole ? skipped.map(({ path, reason }) => `stays here  ${cut(visibleLine(path), 120)}: ${reason}`) : []),
  ]
    .map((line) => `${line}\n`)
    .join("");

function summary({ files, skipped, bytes }: Parcel): string {
  const redacted = files.filter((file) => file.redacted).length;
  const notable = skipped.filter(({ reason }) => reason !== "not part of an export");
  const parts = [
    `${files.length} ${files.length === 1 ? "file" : "files"}, ${size(bytes)}`,
    ...(redacted === 0 ? [] : [`secrets taken out of ${redacted}`]),
    ...(notable.length === 0 ? [] : [`${notable.length} left out: ${[...new Set(notable.map(({ reason }) => reason))].join("; ")}`]),
  ];
  return `${parts.join("; ")}\n`;
}

const size = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;

import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { Zip, ZipDeflate } from "fflate";
import type { ExportFile, ExportPlan } from "./collect/plan-export.js";

export interface WriteOptions {
  /** An existing file may be replaced. A folder with something in it never is. Default: false. */
  readonly replace?: boolean;
}

/** What an export is by the ending of its name: one page, a zip, or a folder. */
export const formOf = (path: string): "page" | "zip" | "folder" =>
  /\.html?$/i.test(path) ? "page" : /\.zip$/i.test(path) ? "zip" : "folder";

/**
 * Writes an export to `path`, whole or not at all.
 *
 * @throws MassgenError `CONFIG_INVALID` (exit code 1) when something is there already, `STORE_FAILED` (2) when it cannot be written
 */
export async function writeExport(plan: ExportPlan, path: string, { replace = false }: WriteOptions = {}): Promise<void> {
  const form = formOf(path);
  if (await isTaken(path, form)) {
    if (form === "folder" || !replace)
      throw new MassgenError("CONFIG_INVALID", `${path} is there already.`, {
        exitCode: 1,
        hint: form === "folder" ? "Name a folder that is empty or does not exist." : "Name another file, or replace it with --yes.",
      });
  }
  const beside = join(dirname(path), `.massgen-export-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(dirname(path), { recursive: true });
    if (form === "page") await writeFile(beside, plan.page, { mode: 0o600, flag: "wx" });
    else if (form === "zip") await writeZip(beside, plan.files);
    else await writeFolder(beside, plan.files);
    await rename(beside, path);
  } catch (cause) {
    await rm(beside, { recursive: true, force: true }).catch(() => {});
    if (MassgenError.is(cause)) throw cause;
    throw new MassgenError(
      "STORE_FAILED",
      `The export cannot be written to ${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        exitCode: 2,
        cause,
      },
    );
  }
}

async function isTaken(path: string, form: ReturnType<typeof formOf>): Promise<boolean> {
  try {
    const names = await readdir(path);
    return form !== "folder" || names.length > 0;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOTDIR";
  }
}

async function writeFolder(folder: string, files: readonly ExportFile[]): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (const file of files) {
    const path = join(folder, ...file.path.split("/"));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await file.read(), { flag: "wx" });
  }
}

/** One file after the other, so that no more than one of them is in memory. */
async function writeZip(path: string, files: readonly ExportFile[]): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await pourZip(handle, files);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function pourZip(handle: FileHandle, files: readonly ExportFile[]): Promise<void> {
  let written: Promise<void> = Promise.resolve();
  let fault: Error | null = null;
  const zip = new Zip((error, chunk) => {
    if (error !== null) fault = error;
    else written = written.then(async () => void (await handle.write(chunk)));
  });
  for (const file of files) {
    const bytes = await file.read();
    const entry = new ZipDeflate(file.path, { level: 6 });
    zip.add(entry);
    entry.push(bytes, true);
    await written;
  }
  zip.end();
  await written;
  if (fault !== null) throw fault;
}

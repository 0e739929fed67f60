import { constants, type Dirent } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import type { FilePreview, WorkspaceFile, WorkspaceFiles, WorkspaceListing } from "@massgen/tui";

/** More than this nobody looks through on a screen. */
const MAX_FILES = 1_000;
const PREVIEW_BYTES = 64 * 1024;
/** Filled by tools, by the thousand. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules", ".venv", "__pycache__"]);

/** Reads the folders of agents while they work in them. No link is followed: it may lead anywhere. */
export function workspaceFiles(folderOf: (agent: string) => string | null, redact: (text: string) => string): WorkspaceFiles {
  return {
    async list(agent) {
      const root = folderOf(agent);
      return root === null ? null : await listFiles(root);
    },
    async read(agent, path) {
      const root = folderOf(agent);
      if (root === null) throw new Error(`${agent} has no files.`);
      const preview = await readPreview(root, path);
      return preview.text === null ? preview : { ...preview, text: redact(preview.text) };
    },
  };
}

async function listFiles(root: string): Promise<WorkspaceListing> {
  const files: WorkspaceFile[] = [];
  const waiting = [""];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    for (const entry of await entriesOf(root, folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(path);
      if (!entry.isFile()) continue;
      if (files.length === MAX_FILES) return { files, isCut: true };
      // It may be gone again by now.
      const found = await lstat(join(root, path)).catch(() => null);
      if (found !== null) files.push({ path, bytes: found.size });
    }
  }
  return { files, isCut: false };
}

async function entriesOf(root: string, folder: string): Promise<readonly Dirent[]> {
  try {
    return (await readdir(join(root, folder), { withFileTypes: true })).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (folder !== "") return [];
    throw new Error("Its workspace is no longer there; what was presented is in final/ of the log.", { cause: error });
  }
}

async function readPreview(root: string, path: string): Promise<FilePreview> {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes(sep)))
    throw new Error(`${path} is no path in a workspace.`);
  for (let count = 1; count < parts.length; count++) {
    const folder = await lstat(join(root, ...parts.slice(0, count))).catch(() => null);
    if (folder === null || !folder.isDirectory()) throw new Error(`${path} is no longer there.`);
  }
  const file = await open(join(root, ...parts), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) throw new Error(`${path} is no longer there, or is a link, which is not followed.`);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`${path} is no file.`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(PREVIEW_BYTES, found.size)), 0, undefined, 0);
    const bytes = buffer.subarray(0, bytesRead);
    return { text: bytes.includes(0) ? null : bytes.toString("utf8"), bytes: found.size, isCut: found.size > bytesRead };
  } finally {
    await file.close();
  }
}

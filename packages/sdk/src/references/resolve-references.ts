import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { parseReferences, type Reference } from "./parse-references.js";

export interface ResolvedReferences {
  /** With the absolute path in the place of each reference. */
  readonly question: string;
  /** One entry per path, in the order in which they come; write wins. */
  readonly contextPaths: readonly ReferencedPath[];
  /** What would be easier said, a sentence each. */
  readonly notes: readonly string[];
}

export interface ReferencedPath {
  /** Absolute. */
  readonly path: string;
  readonly permission: "read" | "write";
}

export interface ReferencePlaces {
  /** Absolute: what relative paths start from. */
  readonly cwd: string;
  readonly home: string;
}

/**
 * The files and folders a question names with `@` (docs/spec/cli.md 13). A bare word that is no file stays text.
 *
 * @throws MassgenError `CONFIG_INVALID` naming all paths that are missing
 */
export async function resolveReferences(question: string, places: ReferencePlaces): Promise<ResolvedReferences> {
  const found = new Map<string, ReferencedPath>();
  const missing = new Set<string>();
  let text = "";
  for (const piece of parseReferences(question)) {
    if (piece.is === "text") text += piece.text;
    else {
      const path = absolute(piece.path, places);
      if (await isUsable(path, piece)) {
        const permission = found.get(path)?.permission === "write" ? "write" : piece.access;
        found.set(path, { path, permission });
        text += path;
      } else {
        if (!piece.maybeText) missing.add(path);
        text += piece.written;
      }
    }
  }
  if (missing.size > 0) throw notFound([...missing]);
  const contextPaths = [...found.values()];
  return { question: text, contextPaths, notes: await crowdNotes(contextPaths) };
}

const absolute = (path: string, { cwd, home }: ReferencePlaces): string =>
  path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(cwd, path);

/** A file that is to be written may come to be. */
async function isUsable(path: string, { access, maybeText }: Reference): Promise<boolean> {
  if ((await kindOf(path)) !== null) return true;
  return access === "write" && !maybeText && (await kindOf(dirname(path))) === "folder";
}

const kindOf = (path: string): Promise<"folder" | "file" | null> =>
  stat(path).then(
    (found) => (found.isDirectory() ? "folder" : "file"),
    () => null,
  );

const CROWD = 3;

async function crowdNotes(paths: readonly ReferencedPath[]): Promise<readonly string[]> {
  const folders = new Map<string, number>();
  for (const { path } of paths) if ((await kindOf(path)) !== "folder") folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  return [...folders]
    .filter(([, files]) => files >= CROWD)
    .map(([folder, files]) => `The question names ${files} files of ${folder}; @${folder} names the folder.`);
}

const notFound = (paths: readonly string[]): MassgenError =>
  new MassgenError("CONFIG_INVALID", `Context paths not found: ${paths.join(", ")}`, {
    exitCode: 1,
    hint: "An @path in the question names a file or folder. For the text itself write \\@, or take --no-parse-at-references.",
  });

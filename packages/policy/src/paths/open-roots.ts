import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import picomatch from "picomatch";
import type { AgentGrants, ContextPath, NameTest, Protection, Root, RootKind } from "../grants.js";
import { followLinks } from "./follow-links.js";
import { below, sameAs } from "./names.js";

/**
 * Looks at every granted path once: where it really is, whether it is a file, how its volume treats case.
 * `presenting` makes context paths configured `write` writable. Throws what the file system throws.
 */
export async function openRoots(grants: AgentGrants, presenting: boolean): Promise<readonly Root[]> {
  const plain = (kind: RootKind, write: Root["write"], paths: readonly string[], protects: readonly string[] = []): Promise<Root>[] =>
    paths.map((path) => openRoot(kind, path, write, { protectedPaths: protects }));
  const mayWrite = presenting || grants.writesContexts === true;
  return Promise.all([
    ...plain("workspace", "yes", grants.workspace === null ? [] : [grants.workspace], grants.workspaceProtected),
    ...plain("view", "no", grants.views ?? []),
    ...plain("previous_turn", "no", grants.previousTurns ?? []),
    ...plain("skills", "no", grants.skills ?? []),
    ...(grants.contexts ?? []).map((context) => openContext(context, mayWrite)),
  ]);
}

async function openContext(context: ContextPath, mayWrite: boolean): Promise<Root> {
  const write = context.permission === "read" ? "no" : mayWrite ? "yes" : "later";
  const standIn = write === "yes" ? (context.standIn ?? null) : null;
  const isFolder = await stat(standIn ?? context.path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return openRoot(isFolder ? "context" : "context_file", context.path, write, { ...context, standIn });
}

type Exceptions = Pick<ContextPath, "protectedPaths" | "allowRead" | "allowWrite"> & { readonly standIn?: string | null };

async function openRoot(kind: RootKind, written: string, write: Root["write"], exceptions: Exceptions): Promise<Root> {
  if (!isAbsolute(written)) throw new Error("a granted path is not absolute");
  const path = resolve(written);
  const own = await followLinks(path, "follow");
  const standIn = exceptions.standIn ?? null;
  const followed = standIn === null ? own : await followLinks(standIn, "follow");
  if (own === null || followed === null) throw new Error("links of a granted path go round in circles");
  const foldsCase = await volumeFoldsCase(followed.real);
  const test = (globs: readonly string[] = []): NameTest =>
    globs.length === 0 ? () => false : picomatch([...globs], { dot: true, nocase: foldsCase });
  return {
    kind,
    path,
    real: followed.real,
    standsFor: standIn === null ? null : own.real,
    write,
    foldsCase,
    protects: (exceptions.protectedPaths ?? []).map((one) => protection(one, kind === "context_file" ? dirname(path) : path, foldsCase)),
    allowsRead: test(exceptions.allowRead),
    allowsWrite: test(exceptions.allowWrite),
  };
}

function protection(written: string, base: string, foldsCase: boolean): Protection {
  const inside = isAbsolute(written) ? relative(base, written) : written;
  const names = below("", resolve("/", inside)) ?? [];
  const glob = picomatch(sameAs(names.join("/"), foldsCase), { dot: true });
  return { written, names, matches: (path) => glob(sameAs(path, foldsCase)) };
}

/** Asks for the same file in other letters. A path without letters gets the habit of the system. */
async function volumeFoldsCase(real: string): Promise<boolean> {
  for (let at = real; dirname(at) !== at; at = dirname(at)) {
    const swapped = basename(at).replace(/\p{L}/gu, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    if (swapped === basename(at)) continue;
    const found = await inode(at);
    if (found !== null) return found === (await inode(join(dirname(at), swapped)));
  }
  return process.platform === "darwin" || process.platform === "win32";
}

const inode = (path: string): Promise<string | null> =>
  stat(path, { bigint: true }).then(
    (found) => `${found.dev}:${found.ino}`,
    () => null,
  );

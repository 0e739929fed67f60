import type { Skipped, TreeLimits } from "./manifest.js";
import type { FoundFile } from "./scan-tree.js";

/** The files that fit the limits, in their order. What does not fit is left out largest first. */
export function chooseFiles(
  files: readonly FoundFile[],
  { maxFiles, maxBytes, maxFileBytes }: TreeLimits,
): { readonly chosen: readonly FoundFile[]; readonly skipped: readonly Skipped[] } {
  const sizeOf = ({ stat }: FoundFile): number => Number(stat.size);
  const out = new Map<string, Skipped>();
  const leave = ({ path }: FoundFile, reason: Skipped["reason"]): unknown => out.set(path, { path, reason });
  for (const file of files) if (sizeOf(file) > maxFileBytes) leave(file, "too_large");

  const fitting = files.filter(({ path }) => !out.has(path));
  let count = fitting.length;
  let bytes = fitting.reduce((sum, file) => sum + sizeOf(file), 0);
  if (count > maxFiles || bytes > maxBytes) {
    for (const file of fitting.toSorted((a, b) => sizeOf(b) - sizeOf(a) || (a.path < b.path ? 1 : -1))) {
      if (count <= maxFiles && bytes <= maxBytes) break;
      leave(file, bytes > maxBytes ? "over_size_limit" : "over_file_limit");
      count--;
      bytes -= sizeOf(file);
    }
  }
  return { chosen: files.filter(({ path }) => !out.has(path)), skipped: [...out.values()] };
}

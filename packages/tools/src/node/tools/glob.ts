import { lstat } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import { type AnyFileTool, fileTool, pathEffect } from "../file-tool.js";
import { matchGlob } from "../files/match-glob.js";
import { showName } from "../files/show-text.js";
import { naming } from "../files/text-file.js";
import { walk } from "../files/walk.js";

const MAX_LIMIT = 2_000;

export const globTool: AnyFileTool = fileTool({
  name: "glob",
  description: "Find files by name, newest first: `**/*.ts`, `src/*/index.{js,ts}`. Ignored files are left out unless asked for.",
  input: z.strictObject({
    pattern: z.string().describe("Pattern for the path below `path`; `**` goes over directories, `..` is not allowed."),
    path: z.string().default(".").describe("Directory to search in."),
    limit: z.int().min(1).default(200).describe(`How many paths to show, at most ${MAX_LIMIT}.`),
    include_ignored: z.boolean().default(false).describe("Also what .gitignore leaves out, node_modules and the like."),
  }),
  risk: "read",
  effects: ({ path }) => [pathEffect("list", path)],
  run: async ({ pattern, path, limit, include_ignored }, job) => {
    const matches = matchGlob(pattern);
    const place = await job.access.locate("list", path);
    const found: { readonly path: string; readonly mtimeMs: number }[] = [];
    let seen = 0;
    await naming(job, place, () =>
      walk(place.real, {
        showHidden: true,
        includeIgnored: include_ignored,
        signal: job.signal,
        mayReadRules: (real) => job.access.mayUse("read", real),
        mayUse: (real) => job.access.maySee(real),
        visit: async (entry, folder) => {
          if (++seen > job.limits.walkedFiles) return "stop";
          if (entry.kind !== "file" || !matches(entry.path)) return undefined;
          const state = await lstat(folder.at(basename(entry.path))).catch(() => null);
          if (state !== null) found.push({ path: entry.path, mtimeMs: state.mtimeMs });
          return undefined;
        },
      }),
    );
    const shown = Math.min(limit, MAX_LIMIT);
    const paths = found
      .sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
      .slice(0, shown)
      .map((file) => showName(under(path, file.path)));
    const notes = [
      ...(found.length > shown ? [`+${found.length - shown} more`] : []),
      ...(limit > MAX_LIMIT ? [`[limit is at most ${MAX_LIMIT}]`] : []),
      ...(seen > job.limits.walkedFiles ? [`[stopped after ${job.limits.walkedFiles} entries; search a smaller directory]`] : []),
    ];
    return paths.length === 0 ? ["No file matches.", ...notes].join("\n") : [...paths, ...notes].join("\n");
  },
});

/** A path below the folder the agent named, as the agent can use it again. */
export function under(asked: string, path: string): string {
  const folder = asked.replace(/\/+$/, "");
  return folder === "" ? `/${path}` : folder === "." ? path : `${folder.replace(/^\.\//, "")}/${path}`;
}

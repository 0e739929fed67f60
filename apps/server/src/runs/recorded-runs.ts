import { join, resolve } from "node:path";
import { logNames, readLogEntry } from "@massgen/logs";
import { onlyReads } from "../auth.js";
import type { ServerOptions } from "../options.js";
import { openLog, summaryOfLog } from "./logged-run.js";
import type { Runs } from "./open-runs.js";

interface Setting {
  readonly options: ServerOptions;
  /** Folders of logs from elsewhere, by the ids of their runs. */
  readonly logs: Readonly<Record<string, string>>;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Runs as the disk has them, whoever played them or plays them now; none is played here. */
export function openRecordedRuns({ options, logs, stopping }: Setting): Runs {
  const base = resolve(options.cwd, options.env["MASSGEN_LOG_BASE_DIR"] || join(".massgen", "massgen_logs"));
  const elsewhere = new Map(Object.entries(logs));

  return {
    start: () => Promise.reject(onlyReads()),

    async find(id) {
      const [, name, turn] = /^([\w-]+)(?:\.([1-9]\d{0,5}))?$/.exec(id) ?? [];
      if (name === undefined) return null;
      const root = elsewhere.get(name) ?? (name.startsWith("log_") ? join(base, name) : null);
      return root === null ? null : openLog({ root, turn: turn === undefined ? null : Number(turn), id }, { ...options, stopping });
    },

    async list(limit, offset) {
      const own = (await logNames(base)).filter((name) => !elsewhere.has(name));
      const all = [...elsewhere, ...own.map((name) => [name, join(base, name)] as const)];
      const shown = all.slice(offset, offset + limit).map(async ([id, root]) => summaryOfLog(await readLogEntry(root), id));
      return { runs: await Promise.all(shown), total: all.length, readOnly: true };
    },

    kept: () => Promise.resolve(),
  };
}

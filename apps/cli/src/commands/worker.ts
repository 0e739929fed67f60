import { MassgenError } from "@massgen/contracts";
import type { WorkerRequest } from "../args/worker-request.js";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { homeOf, readEnv } from "../read-env.js";
import { databaseOf, withoutDatabase } from "./database-url.js";
import { telemetryOf } from "./telemetry.js";

const DEFAULT_CONCURRENCY = 2;
const DEFAULT_DRAIN_SECONDS = 600;
/** Beyond the time for runs, to say goodbye to the database. */
const GOODBYE_MS = 10_000;

/** `massgen worker`: plays the runs of a queue until a signal stops it (docs/spec/cli.md 17.11). */
export async function work(request: WorkerRequest, io: Io): Promise<ExitCode> {
  const { env, warnings } = await readEnv(io);
  for (const { file, line, message } of warnings) io.err.write(`massgen: warning: ${file}${line === null ? "" : `:${line}`}: ${message}\n`);
  const databaseUrl = databaseOf(request.databaseUrl, env);
  if (databaseUrl === null)
    throw new MassgenError("USAGE", "A worker needs the database of the queue.", {
      exitCode: 2,
      hint: "Give --database-url postgres://user@host/database, or set MASSGEN_DATABASE_URL.",
    });
  const drainMs = (request.drainSeconds ?? DEFAULT_DRAIN_SECONDS) * 1000;
  const concurrency = request.concurrency ?? DEFAULT_CONCURRENCY;
  io.allowSlowEnd(drainMs + GOODBYE_MS);
  const { startRunWorker } = await import("@massgen/server");
  const telemetry = await telemetryOf(io, (message) => io.err.write(`massgen worker: warning: ${message}\n`));
  const worker = await startRunWorker({
    ...(telemetry === null ? {} : { observeRun: () => telemetry.run() }),
    cwd: io.cwd,
    home: homeOf(io),
    env: withoutDatabase(env),
    examplesDir: examplesDir(env),
    config: request.config ?? (env["MASSGEN_SERVER_DEFAULT_CONFIG"]?.trim() || null),
    defaultModel: request.defaultModel ?? (env["MASSGEN_SERVER_DEFAULT_MODEL"]?.trim() || null),
    allowAnyPath: request.allowAnyPath,
    databaseUrl,
    concurrency,
    version: io.version,
    keepsFiles: !/^(0|false|off|no)$/i.test(env["MASSGEN_WORKER_KEEPS_FILES"]?.trim() ?? ""),
    onNote: (message) => io.err.write(`massgen worker: ${message}\n`),
    ...deadAfter(env),
  });
  io.err.write(`massgen worker ${worker.id} takes up to ${concurrency} runs at a time\n`);
  const lost = await Promise.race([interrupted(io.interrupt), worker.lost]);
  if (lost !== null) {
    // At once: what it still does would be done twice.
    throw new MassgenError("STORE_CONFLICT", `This worker has been taken for dead: ${lost}.`, {
      hint: "Start it again. If it happens often, the machine is overloaded or the network to the database breaks.",
    });
  }
  io.err.write(`massgen worker is stopping; ${worker.active()} runs under way\n`);
  await worker.drain(drainMs);
  await telemetry?.close();
  return 0;
}

function deadAfter(env: Readonly<Record<string, string | undefined>>): { readonly deadAfterMs?: number } {
  const text = env["MASSGEN_WORKER_DEAD_AFTER_SECONDS"]?.trim() ?? "";
  if (text === "") return {};
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new MassgenError("CONFIG_INVALID", "MASSGEN_WORKER_DEAD_AFTER_SECONDS must be a whole number from 1 to 9999.", { exitCode: 1 });
  return { deadAfterMs: Number(text) * 1000 };
}

const interrupted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });

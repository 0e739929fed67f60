import { basename, join } from "node:path";
import { decisionsIn, isLogInUse } from "@massgen/logs";
import type { ViewerPageRequest } from "../../args/viewer-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { homeOf, readEnv } from "../../read-env.js";
import { webDir } from "../../web-dir.js";
import { withoutDatabase } from "../database-url.js";
import { listenUntilInterrupted } from "../listen.js";
import { logBase } from "../logs/find-logs.js";
import { openPage } from "../open-page.js";
import { keysOf } from "../server-keys.js";
import { type FoundRun, findRun, notThere } from "./find-run.js";

/** This machine alone, whatever the environment says of servers. */
const HOST = "127.0.0.1";

/** `massgen viewer --web`: the page of recorded runs, opened on one of them, until a signal ends it. Reads only. */
export async function showPage(request: ViewerPageRequest, io: Io): Promise<ExitCode> {
  const found = await findRun(request, io);
  if (!(await hasBegun(found))) throw notThere(`There is no run in ${found.folder}: it has no events.`);
  const { env } = await readEnv(io);
  const keys = await keysOf({ apiKeys: [], keysFile: null }, env, io.cwd);
  const base = await logBase(io);
  const name = basename(found.root);
  const isNear = found.root === join(base, name) && /^log_[\w-]+$/.test(name);
  const id = /^[\w-]{1,200}$/.test(name) ? name : "shown";
  const { createServer } = await import("@massgen/server");
  const server = await createServer({
    cwd: io.cwd,
    home: homeOf(io),
    env: withoutDatabase(env),
    examplesDir: null,
    config: null,
    defaultModel: null,
    keys,
    maxConcurrent: 1,
    requestsPerMinute: null,
    corsOrigins: [],
    allowedHosts: keys === null ? [HOST, "localhost", "[::1]"] : null,
    allowAnyPath: false,
    keepLogs: false,
    web: webDir(),
    recorded: { logs: isNear ? {} : { [id]: found.root } },
    version: io.version,
    log: { level: "warn", write: (line) => io.err.write(line) },
  });
  const place = encodeURIComponent(request.turn === null ? id : `${id}.${request.turn}`);
  const ready = (address: string): Promise<void> => openPage(`${address}/#/runs/${place}`, request.opensBrowser, io);
  await listenUntilInterrupted(server, { host: HOST, port: request.port, ready }, io);
  return 0;
}

/** A run that begins just now has a writer before it has a fact. @throws MassgenError where there is no log */
async function hasBegun({ root, folder }: FoundRun): Promise<boolean> {
  if (await isLogInUse(root)) return true;
  for await (const _ of decisionsIn(folder)) return true;
  return false;
}

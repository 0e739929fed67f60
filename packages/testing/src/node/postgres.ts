import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";

/** A PostgreSQL server of the test, on loopback, with an empty database. */
export interface TestPostgres {
  /** `postgres://postgres@127.0.0.1:<port>/postgres`; asks for no password. */
  readonly url: string;
  close(): Promise<void>;
}

/** Why there can be no PostgreSQL here; `null` when there can. */
export const postgresMissing: string | null =
  programsFolder() === null ? "PostgreSQL is not installed (Debian: apt-get install postgresql)" : null;

/**
 * Starts PostgreSQL with a folder of its own that is gone with it. By hand, the same:
 * `initdb -D /tmp/pg -U postgres -A trust && postgres -D /tmp/pg -p 5499 -k /tmp/pg`.
 *
 * @throws Error with the last lines of the server when it does not come up
 */
export async function startPostgres(): Promise<TestPostgres> {
  const bin = programsFolder();
  if (bin === null) throw new Error(postgresMissing ?? "PostgreSQL is not installed");
  // Short: the path of a socket may have 107 bytes.
  const folder = mkdtempSync("/tmp/massgen-pg-");
  const who = unprivileged();
  if (who !== null) chownSync(folder, who.uid, who.gid);
  const data = join(folder, "data");
  const as = { cwd: folder, env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8", TZ: "UTC" }, ...who };
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"], { ...as, stdio: "pipe" });
  const port = await freePort();
  const settings = ["fsync=off", "full_page_writes=off", "shared_buffers=16MB", "listen_addresses=127.0.0.1", "max_connections=100"];
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, "-p", String(port), "-k", folder, ...settings.flatMap((setting) => ["-c", setting])],
    { ...as, stdio: ["ignore", "ignore", "pipe"] },
  );
  const killed = (): void => void server.kill("SIGQUIT");
  process.once("exit", killed);
  await ready(server);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async close() {
      process.removeListener("exit", killed);
      if (server.exitCode === null) {
        server.kill("SIGQUIT");
        await once(server, "exit");
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ready(server: ChildProcess): Promise<void> {
  const lines: string[] = [];
  if (server.stderr === null) throw new Error("PostgreSQL says nothing");
  for await (const line of createInterface({ input: server.stderr })) {
    lines.push(line);
    if (!line.includes("ready to accept connections")) continue;
    // Read on, or the server waits for room in the pipe.
    server.stderr.resume();
    return;
  }
  throw new Error(`PostgreSQL did not start:\n${lines.slice(-10).join("\n")}`);
}

/** Debian keeps the server's programs out of `PATH`. */
function programsFolder(): string | null {
  const versions = (): readonly string[] => {
    try {
      return readdirSync("/usr/lib/postgresql").toSorted((one, other) => Number(other) - Number(one));
    } catch {
      return [];
    }
  };
  const folders = [
    ...versions().map((version) => join("/usr/lib/postgresql", version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => isProgram(join(folder, name)))) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** It refuses to run as root: then it runs as its own user, or as nobody. */
function unprivileged(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout.trim() || 65_534);
  return { uid: id("-u"), gid: id("-g") };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

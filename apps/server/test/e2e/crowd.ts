import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Respond, type Simulator, startSimulator } from "@massgen/simulator";
import { startPostgres, type TestPostgres } from "@massgen/testing/node";

const PROGRAM = fileURLToPath(new URL("../../../cli/dist/massgen.cjs", import.meta.url));
if (!existsSync(PROGRAM)) throw new Error("The program is not built: run `pnpm build` first.");

interface Process {
  readonly child: ChildProcess;
  /** Resolves with the rest of the line behind `text` on standard error. */
  readonly says: (text: string) => Promise<string>;
  /** Everything on standard error so far. */
  readonly told: () => string;
}

/** Servers and workers as they ship, on one PostgreSQL, in front of simulated models. */
export interface Crowd {
  readonly simulator: Simulator;
  readonly postgres: TestPostgres;
  /** Where all of them are at home. */
  readonly folder: string;
  /** Gives the address of a new server. */
  serve(...flags: readonly string[]): Promise<string>;
  worker(...flags: readonly string[]): Process;
  close(): Promise<void>;
}

export async function openCrowd(
  ids: readonly string[],
  respond: Respond,
  deadAfterSeconds: number,
  more: Readonly<Record<string, string>> = {},
): Promise<Crowd> {
  const postgres = await startPostgres();
  const simulator = await startSimulator({ respond });
  const folder = await mkdtemp(join(tmpdir(), "massgen-crowd-"));
  const agents = ids.map((id) => ({
    id,
    backend: { type: "chatcompletion", model: `${id}-model`, base_url: simulator.baseUrl("chat_completions") },
  }));
  await writeFile(join(folder, "team.yaml"), JSON.stringify({ agents }));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    LANG: "C.UTF-8",
    MASSGEN_DATABASE_URL: postgres.url,
    MASSGEN_WORKER_DEAD_AFTER_SECONDS: String(deadAfterSeconds),
    ...more,
  };
  const children: ChildProcess[] = [];

  function start(argv: readonly string[]): Process {
    const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
    children.push(child);
    const lines: string[] = [];
    const waiting = new Set<(line: string) => void>();
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      for (const look of waiting) look(line);
    });
    const says = (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const look = (line: string): void => {
          if (!line.includes(text)) return;
          waiting.delete(look);
          resolve(line.slice(line.indexOf(text) + text.length));
        };
        waiting.add(look);
        for (const line of lines) look(line);
        child.once("exit", (code) => reject(new Error(`ended with ${code} without saying ${JSON.stringify(text)}:\n${lines.join("\n")}`)));
      });
    return { child, says, told: () => lines.join("\n") };
  }

  return {
    simulator,
    postgres,
    folder,
    serve: (...flags) => start(["serve", "--config", "team.yaml", "--port", "0", ...flags]).says("listening on "),
    worker: (...flags) => start(["worker", "--config", "team.yaml", ...flags]),
    async close() {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      await simulator.close();
      await postgres.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

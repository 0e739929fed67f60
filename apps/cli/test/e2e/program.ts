import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SimulatorOptions } from "@massgen/simulator";
import { type Simulator, startSimulator } from "@massgen/simulator";

/** The program as it ships. */
export const PROGRAM: string = fileURLToPath(new URL("../../dist/massgen.cjs", import.meta.url));
if (!existsSync(PROGRAM)) throw new Error("The program is not built: run `pnpm build` first.");

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly durationMs: number;
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when standard output holds `text`. */
  readonly says: (text: string) => Promise<void>;
  /** Presses keys, in a terminal. */
  readonly type: (keys: string) => void;
}

/** A folder of one's own for a run, with a home in it, and what was started from it. */
export interface Bench {
  readonly folder: string;
  readonly path: (...parts: readonly string[]) => string;
  readonly write: (name: string, text: string) => Promise<string>;
  readonly massgen: (argv: readonly string[], options?: StartOptions) => Started;
  readonly run: (argv: readonly string[], options?: StartOptions) => Promise<Ended>;
  readonly simulate: (options: SimulatorOptions) => Promise<Simulator>;
  readonly close: () => Promise<void>;
}

export interface StartOptions {
  /** `null`: standard input is closed at once. */
  readonly stdin?: string | null;
  readonly env?: Readonly<Record<string, string>>;
  /** Another program around ours: the words before it. */
  readonly through?: readonly string[];
  /** Inside a pseudo terminal of this size; what it shows comes back as `out`. Needs `hasTerminal`. */
  readonly terminal?: { readonly columns: number; readonly rows: number };
}

/** Whether this machine can give a program a pseudo terminal. */
export const hasTerminal: boolean = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

export async function openBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), "massgen-e2e-"));
  const children: ChildProcess[] = [];
  const simulators: Simulator[] = [];
  const path = (...parts: readonly string[]): string => join(folder, ...parts);
  const massgen = (argv: readonly string[], options: StartOptions = {}): Started => {
    const words = [...(options.through ?? []), process.execPath, PROGRAM, ...argv];
    const [command = "", ...args] = options.terminal === undefined ? words : inTerminal(words, options.terminal);
    const started = start(command, args, folder, options);
    children.push(started.child);
    return started;
  };
  return {
    folder,
    path,
    write: async (name, text) => {
      await writeFile(path(name), text);
      return path(name);
    },
    massgen,
    run: (argv, options) => massgen(argv, options).ended,
    simulate: async (options) => {
      const simulator = await startSimulator(options);
      simulators.push(simulator);
      return simulator;
    },
    close: async () => {
      for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await Promise.all(simulators.map((simulator) => simulator.close()));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** The words that run a command inside a pseudo terminal, which gives its exit code and its text back. */
function inTerminal(words: readonly string[], { columns, rows }: { readonly columns: number; readonly rows: number }): readonly string[] {
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return ["script", "-qec", `stty cols ${columns} rows ${rows}; exec ${quoted}`, "/dev/null"];
}

/** The environment of the test without anything that would change what the program does. */
function cleanEnv(folder: string, more: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: folder, LANG: "C.UTF-8", ...more };
}

function start(command: string, args: readonly string[], cwd: string, { stdin = null, env = {}, terminal }: StartOptions): Started {
  const startedMs = performance.now();
  const child = spawn(command, args, { cwd, env: cleanEnv(cwd, env), stdio: ["pipe", "pipe", "pipe"] });
  const kept = { out: "", err: "" };
  const waiting = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    kept.out += text;
    for (const check of waiting) check();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    kept.err += text;
  });
  // A program that does not read its input may be gone before it is written.
  child.stdin.on("error", () => {});
  if (terminal === undefined) child.stdin.end(stdin ?? "");
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...kept, durationMs: performance.now() - startedMs }));
  });
  const says = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!kept.out.includes(text)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      void ended.then(() => reject(new Error(`ended without saying ${JSON.stringify(text)}: ${kept.out}${kept.err}`)));
      check();
    });
  return { child, ended, says, type: (keys) => child.stdin.write(keys) };
}

/** Presses a key that counts only when the question could be read, until it counted. */
export async function pressUntilEnded({ type, ended }: Pick<Started, "type" | "ended">, key: string): Promise<Ended> {
  const again = setInterval(() => type(key), 150);
  return ended.finally(() => clearInterval(again));
}

/** The value of an automation line. */
export function lineOf(text: string, key: string): string {
  const found = text.split("\n").find((line) => line.startsWith(`${key}: `));
  if (found === undefined) throw new Error(`no ${key} in:\n${text}`);
  return found.slice(key.length + 2);
}

export const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, "utf8")) as T;

/** A team on the simulator, one agent per id, each on a model of its own. */
export function teamYaml(simulator: Simulator, ids: readonly string[], more = ""): string {
  const agents = ids.map(
    (id) =>
      `  - id: ${JSON.stringify(id)}\n    backend: {type: chatcompletion, model: ${JSON.stringify(`${id}-model`)}, base_url: "${simulator.baseUrl("chat_completions")}"}\n`,
  );
  return `agents:\n${agents.join("")}${more}`;
}

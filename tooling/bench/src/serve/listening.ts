import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Command } from "../harness/run-process.js";

/** A process that says `listening on <address>` when it is up. */
export interface Listening {
  readonly address: string;
  readonly pid: number;
  /** User and system time of all its threads so far. */
  cpuMs(): number;
  close(): Promise<void>;
}

/** `null` where the system tells what a process costs; else why nothing is measured. */
export const costsHidden: string | null = existsSync("/proc/self/schedstat")
  ? null
  : "the cost of another process is read from Linux's /proc";

const SAYS = /listening on (http\S+)/;

export async function startListening({ args, cwd, env = {} }: Command): Promise<Listening> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd ?? tmpdir(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  let told = "";
  const address = await new Promise<string>((resolve, reject) => {
    const look = (text: string): void => {
      told += text;
      const found = SAYS.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.setEncoding("utf8").on("data", look);
    child.stderr.setEncoding("utf8").on("data", look);
    void exit.then(([code]) => reject(new Error(`A server ended with ${String(code)} before it listened:\n${told}`)));
  });
  const folder = `/proc/${child.pid}`;
  return {
    address,
    pid: child.pid!,
    cpuMs: () =>
      readdirSync(`${folder}/task`).reduce(
        (sum, task) => sum + Number(readFileSync(`${folder}/task/${task}/schedstat`, "utf8").split(" ")[0]),
        0,
      ) / 1e6,
    async close() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}

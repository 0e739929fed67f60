import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the repository, without a closing slash. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

const { packageManager } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));

/** The one pnpm that everything here is tried with; npm brings it, so nobody has to install it. @param {readonly string[]} args @returns {string[]} */
export const pnpm = (...args) => ["npx", "--yes", packageManager, ...args];
/** A command of the root's own development dependencies. @param {string} name @param {string[]} args */
export const tool = (name, ...args) => [`${root}/node_modules/.bin/${name}`, ...args];
/** A script of ours. @param {string} path from the root @param {string[]} args */
export const script = (path, ...args) => [process.execPath, `${root}/${path}`, ...args];

/** No telemetry, no colours in what is kept for later, no questions. */
const quiet = {
  DO_NOT_TRACK: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  NO_UPDATE_NOTIFIER: "1",
  NO_COLOR: "1",
  CI: "1",
};

/**
 * Runs a command to its end and keeps what it prints. Never rejects: a command that cannot be started, or that is not
 * done after `limitMs` (default 15 minutes), has failed.
 *
 * @param {readonly string[]} command
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMs?: number }} [options]
 * @returns {Promise<{ ok: boolean, output: string, durationMs: number }>}
 */
export function run(command, { cwd = root, env = {}, limitMs = 900_000 } = {}) {
  const [program = "", ...args] = command;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let output = "";
    const { FORCE_COLOR: _, ...inherited } = process.env;
    const child = spawn(program, args, {
      cwd,
      env: { ...inherited, ...quiet, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && program !== process.execPath, // npx and the tools are .cmd files there
    });
    const end = (/** @type {boolean} */ ok) => {
      clearTimeout(limit);
      resolve({ ok, output, durationMs: performance.now() - startedAt });
    };
    // What the command has started may live on and hold the pipes, so nobody waits for them to close.
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      output += `\n${program} was stopped: it was not done after ${seconds(limitMs)}\n`;
      end(false);
    }, limitMs);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", (error) => {
      output += `${program} could not be started: ${error.message}\n`;
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}

/** @param {number} durationMs */
export const seconds = (durationMs) => `${(durationMs / 1000).toFixed(1)} s`;

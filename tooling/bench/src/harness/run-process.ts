import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Command {
  /** Arguments of node itself and of the program: `["-e", "0"]`. */
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly expectedExitCode?: number;
  /** Default: a minute; a command that hangs is no measurement. */
  readonly limitMs?: number;
}

export interface ProcessRun {
  /** From the spawn to the exit, as the parent sees it. */
  readonly wallMs: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessCost {
  /** User and system time of the process. */
  readonly cpuMs: number;
  readonly peakRssMiB: number;
}

const LIMIT_MS = 60_000;

/** Runs node with a clean environment. Rejects when it ends with another code than expected, with what it said. */
export function runNode(command: Command, onStdout: (text: string) => void = () => {}): Promise<ProcessRun> {
  const { args, cwd, env = {}, expectedExitCode = 0, limitMs = LIMIT_MS } = command;
  return new Promise((resolve, reject) => {
    const startedAt = process.hrtime.bigint();
    const child = spawn(process.execPath, args, {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: limitMs,
    });
    let wallMs = Number.NaN;
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      onStdout(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("error", reject);
    child.once("exit", () => {
      wallMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
    });
    child.once("close", (code, signal) => {
      if (code === expectedExitCode) resolve({ wallMs, stdout, stderr });
      else reject(new Error(`node ${args.join(" ")} ended with ${signal ?? code} instead of ${expectedExitCode}.\n${stderr}${stdout}`));
    });
  });
}

/**
 * What a process costs, read by itself as it exits: by a small file that node loads first. The file costs about a
 * millisecond in ours and floor alike, so wall time is measured in runs of their own, without it.
 */
export async function costOfNode(command: Command): Promise<ProcessCost> {
  const folder = mkdtempSync(join(tmpdir(), "massgen-bench-"));
  try {
    const hook = join(folder, "cost.cjs");
    const report = join(folder, "cost.json");
    writeFileSync(hook, WRITE_COST);
    await runNode({ ...command, args: ["--require", hook, ...command.args], env: { ...command.env, MASSGEN_BENCH_COST: report } });
    const { userUs, systemUs, maxRssKiB } = JSON.parse(readFileSync(report, "utf8")) as {
      userUs: number;
      systemUs: number;
      maxRssKiB: number;
    };
    return { cpuMs: (userUs + systemUs) / 1000, peakRssMiB: maxRssKiB / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const WRITE_COST = `process.on("exit", () => {
  const { userCPUTime: userUs, systemCPUTime: systemUs, maxRSS: maxRssKiB } = process.resourceUsage();
  require("node:fs").writeFileSync(process.env.MASSGEN_BENCH_COST, JSON.stringify({ userUs, systemUs, maxRssKiB }));
});
`;

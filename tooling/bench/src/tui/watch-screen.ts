import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPty, type Pty } from "./pty.js";
import type { Report, Workload } from "./workload.js";

const PROCESS = fileURLToPath(new URL("screen-process.js", import.meta.url));
export const SIZE = { columns: 120, rows: 40 } as const;

/** A workload on a screen in a terminal of 120 × 40, from its start to its report; `meanwhile` sits at it. */
export async function watchScreen(
  workload: Omit<Workload, "report">,
  meanwhile: (pty: Pty) => Promise<void> = async () => {},
): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "massgen-bench-tui-"));
  const report = join(folder, "report.json");
  const pty = openPty([process.execPath, "--expose-gc", PROCESS, JSON.stringify({ ...workload, report })], SIZE);
  try {
    await meanwhile(pty);
    await pty.ended;
    if (!existsSync(report)) throw new Error(`The screen left without a report:\n${pty.said()}`);
    return JSON.parse(readFileSync(report, "utf8")) as Report;
  } finally {
    await pty.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Echo {
  readonly p50Ms: number;
  readonly maxMs: number;
}

export const echoOf = (ms: readonly number[]): Echo => {
  const sorted = ms.toSorted((one, other) => one - other);
  return { p50Ms: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, maxMs: sorted.at(-1) ?? Number.NaN };
};

/** Opens and closes the keys, over and over: from typing to what it brings on the terminal. */
export async function typeAt(pty: Pty, times: number): Promise<readonly number[]> {
  const taken: number[] = [];
  await pty.saw("What happened");
  for (let time = 0; time < times; time++)
    for (const [key, brings] of [
      ["?", "choose the agent whose stream"],
      ["q", "What happened"],
    ] as const) {
      await new Promise((resolve) => setTimeout(resolve, 23));
      const shown = pty.saw(brings);
      const typedMs = performance.now();
      pty.type(key);
      taken.push((await shown) - typedMs);
    }
  return taken;
}

/** The same for `cat`: what the terminal itself takes. */
export async function typeAtCat(times: number): Promise<readonly number[]> {
  const pty = openPty(["cat"], SIZE);
  const taken: number[] = [];
  try {
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let time = 0; time < times; time++) {
      await new Promise((resolve) => setTimeout(resolve, 23));
      const key = String.fromCharCode(97 + (time % 26));
      const shown = pty.saw(key);
      const typedMs = performance.now();
      pty.type(key);
      taken.push((await shown) - typedMs);
    }
    return taken;
  } finally {
    await pty.close();
  }
}

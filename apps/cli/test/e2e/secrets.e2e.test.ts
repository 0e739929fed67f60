import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { openTerminal, terminalMissing } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, openBench, PROGRAM, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const FILLER = "7f3a9c1e55aaB0B1C2D3E4F5G6H7I8J9K0L1M2N3";
/** A key in the form of every vendor; put together here, so that nobody takes this file for a leak. */
const KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "sk-proj-",
    "sk-ant-api03-",
    "AI" + "za",
    "ya29.",
    "xai-",
    "gsk_",
    "pplx-",
    "csk-",
    "fw_",
    "nvapi-",
    "r8_",
    "tgp_v1_",
    "hf_",
    "tvly-",
    "ghp_",
    "glpat-",
  ].map((start, index) => [`PLANTED_${index}_API_KEY`, `${start}${FILLER}`]),
);
const ALL = Object.values(KEYS);

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Every planted key that stands in a file below `.massgen`. */
async function leaks(): Promise<readonly string[]> {
  const files = await filesBelow(bench.path(".massgen"));
  expect(files.length).toBeGreaterThan(10);
  const texts = await Promise.all(files.map((file) => readFile(file, "latin1")));
  return files.flatMap((file, index) => ALL.filter((key) => texts[index]!.includes(key)).map((key) => `${key.slice(0, 8)} in ${file}`));
}

describe("keys of every vendor (SE-03)", () => {
  it.each([[[]], [["--debug"]]])("are in no output and no file, sessions and their list included (%j)", async (flags) => {
    const simulator = await bench.simulate({
      respond: ({ index }) =>
        index === 1
          ? { kind: "failure", status: 401, body: { error: { message: `Incorrect API key: ${ALL[0]}` } } }
          : { kind: "message", text: `Yours are ${ALL.join(" ")}.` },
    });
    await bench.write("team.yaml", teamYaml(simulator, ["solo"]));
    const question = `Are these safe: ${ALL.join(", ")}?`;
    const good = await bench.run(["--automation", "--config", "team.yaml", ...flags, question], { env: KEYS });
    const failed = await bench.run(["--no-display", "--continue", ...flags, question], { env: KEYS });
    const third = await bench.run(["--stream-events", "--continue", ...flags, question], { env: KEYS });
    expect([good.code, failed.code, third.code]).toEqual([0, 2, 0]);
    expect(failed.err).toContain("401");
    const list = await bench.run(["--list-sessions", "--all"]);
    for (const { out, err } of [good, failed, third, list]) for (const key of ALL) expect(out + err).not.toContain(key);
    expect(list.out).toContain("[REDACTED]");
    expect(await leaks()).toEqual([]);
  });

  it.skipIf(terminalMissing() !== null)("that are typed stay out of the history of what was typed", async () => {
    const simulator = await bench.simulate({ respond: () => ({ kind: "message", text: "Understood." }) });
    await bench.write("team.yaml", teamYaml(simulator, ["solo"]));
    const terminal = await openTerminal([process.execPath, PROGRAM, "--display", "rich", "--config", "team.yaml"], {
      cwd: bench.folder,
      env: { HOME: bench.folder },
    });
    try {
      await terminal.waitFor(/^> ?$/m);
      for (const key of [ALL[1]!, ALL[5]!]) {
        await terminal.type(`Use ${key} from now on.`);
        await terminal.press("Enter");
        await terminal.waitFor(/cost unknown\n> ?$/m);
      }
      await terminal.press("C-d");
      expect(await terminal.waitForExit()).toBe(0);
    } finally {
      await terminal.close();
    }
    expect(await leaks()).toEqual([]);
    const history = bench.path(".massgen", "input_history");
    expect(await readFile(history, "utf8")).toBe('"Use [REDACTED] from now on."\n"Use [REDACTED] from now on."\n');
    expect((await stat(history)).mode & 0o077).toBe(0);
  });
});

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scriptedTeam, step } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, type Ended, hasTerminal, lineOf, openBench, readJson, type StartOptions, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const HOSTILE = readFileSync(new URL("../fixtures/hostile-answer.txt", import.meta.url), "utf8");
/**
 * Sequences the program itself writes on a terminal: colours, cursor up, clear to the end, synchronized updates; of the
 * screen also where it goes on, erasing to the edge, and the modes it sets.
 */
const OWN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is looked for
  /\u001b\[(?:\d+(?:;\d+)*)?m|\u001b\[\d+A|\u001b\[J|\u001b\[\?2026[hl]|\u001b\[\d+;\d+H|\u001b\[K|\u001b\[\?(?:1049|25|1000|1006|2004)[hl]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const TERMINAL = { columns: 80, rows: 24 };

async function sayHello(argv: readonly string[], options: StartOptions = {}): Promise<Ended> {
  const simulator = await bench.simulate({ respond: scriptedTeam({ "solo-model": [step.text("Hello there.")] }) });
  await bench.write("chat.yaml", teamYaml(simulator, ["solo"]));
  return bench.run(["--config", "chat.yaml", ...argv], options);
}

describe("no terminal, closed pipes, no colour (TT-02)", () => {
  it("1: automation through a pipe has no escape character and ends by itself", async () => {
    const { code, out } = await sayHello(["--automation", "Say hello"]);
    expect(code).toBe(0);
    expect(out).not.toContain("\u001b");
  });

  it("2: without a terminal the plain display is chosen: lines, no cursor movement", async () => {
    const { code, out, err } = await sayHello(["Say hello"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("Hello there.");
    expect(out).not.toContain("\u001b");
    expect(out).not.toContain("\r");
  });

  it.skipIf(!hasTerminal)("3: NO_COLOR in a terminal: no colour codes", async () => {
    const { code, out } = await sayHello(["Say hello"], { terminal: TERMINAL, env: { NO_COLOR: "1", TERM: "xterm-256color" } });
    expect(code).toBe(0);
    expect(out).toContain("Hello there.");
    expect(out).toContain("\u001b[?2026h");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours; bold is none
    expect(out).not.toMatch(/\u001b\[(?:[\d;]*;)?(?:3\d|9\d|4\d|10\d)[\d;]*m/);
  });

  it("4: a reader that leaves after one line: no stack trace, no process left, the run is complete", async () => {
    const { out, err, durationMs } = await sayHello(["--automation", "Say hello"], { through: ["sh", "-c", '"$@" | head -n 1', "pipe"] });
    expect(out).toMatch(/^LOG_DIR: .*\n$/);
    expect(err).toBe("");
    expect(durationMs).toBeLessThan(30_000);
    expect(await readJson(join(out.trim().slice("LOG_DIR: ".length), "status.json"))).toMatchObject({ finish_reason: "completed" });
  });

  it.skipIf(!hasTerminal)("5: TERM=dumb: plain display", async () => {
    const { code, out } = await sayHello(["Say hello"], { terminal: TERMINAL, env: { TERM: "dumb" } });
    expect(code).toBe(0);
    expect(out).not.toContain("\u001b");
  });

  it("6: the question comes from the pipe", async () => {
    const { code, out } = await sayHello(["--automation"], { stdin: "Say hello\n" });
    expect(code).toBe(0);
    expect(lineOf(out, "QUESTION")).toBe("Say hello");
  });

  it("7: an empty input is an error, not a loop", async () => {
    const { code, out, err } = await sayHello([], { stdin: null });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("standard input is empty");
  });

  it.skipIf(process.platform !== "linux")("8: a full disk behind stdout: a message and a failure, no endless loop", async () => {
    const { code, err } = await sayHello(["--automation", "Say hello"], { through: ["sh", "-c", 'exec "$@" >/dev/full', "full"] });
    expect(code).toBe(2);
    expect(err).toContain("cannot write to standard output (ENOSPC)");
  });

  it("9: FORCE_COLOR through a pipe: colours, but no cursor movement", async () => {
    const { code, out } = await sayHello(["Say hello"], { env: { CI: "true", FORCE_COLOR: "1" } });
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    expect(out).toMatch(/\u001b\[\d+m/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: everything else
    expect(out.replaceAll(/\u001b\[\d+m/g, "")).not.toContain("\u001b");
  });

  it.skipIf(!hasTerminal).each([
    ["screen", []],
    ["live", ["--display", "rich"]],
  ] as const)("10: a terminal of 20 columns and 5 rows: readable, %s", async (_display, argv) => {
    const { code, out } = await sayHello([...argv, "Say hello"], {
      terminal: { columns: 20, rows: 5 },
      env: { COLUMNS: "20", TERM: "xterm" },
    });
    expect(code).toBe(0);
    expect(out).toContain("Hello there.");
  });

  it("11: the question reaches the model letter for letter", async () => {
    const simulator = await bench.simulate({ respond: scriptedTeam() });
    await bench.write("chat.yaml", teamYaml(simulator, ["solo"]));
    const question = 'line one\nline two "quoted" $HOME `date`';
    expect((await bench.run(["--automation", "--config", "chat.yaml", question])).code).toBe(0);
    expect(JSON.stringify(simulator.requests[0]?.body)).toContain(JSON.stringify(question).slice(1, -1));
  });
});

describe("text that commands the terminal (TT-01)", () => {
  const modes: readonly (readonly [string, readonly string[], StartOptions])[] = [
    ["plain", [], {}],
    ["automation", ["--automation"], {}],
    ["events", ["--stream-events"], {}],
    ["debug", ["--debug"], {}],
    ...(hasTerminal
      ? [
          ["live", ["--display", "rich"], { terminal: TERMINAL, env: { TERM: "xterm-256color" } }] as const,
          ["the screen", [], { terminal: TERMINAL, env: { TERM: "xterm-256color" } }] as const,
        ]
      : []),
  ];
  it.each(modes)("%s: only our own sequences reach it, and the file keeps the text as it came", async (_name, argv, options) => {
    const simulator = await bench.simulate({
      respond: scriptedTeam({
        "one-model": [step.answer(`${HOSTILE} one`), step.vote("agent2", HOSTILE)],
        "two-model": [step.answer(`${HOSTILE} two`), step.vote("agent2", HOSTILE), step.text(HOSTILE)],
      }),
    });
    await bench.write("team.yaml", teamYaml(simulator, ["one", "two"]));
    const { code, out, err } = await bench.run(["--config", "team.yaml", ...argv, `Q ${HOSTILE}`], options);
    expect(code).toBe(0);
    expect(out.replaceAll(OWN, "").replaceAll("\r\n", "\n")).not.toMatch(OBEYED);
    expect(err).not.toMatch(OBEYED);
    const logs = bench.path(".massgen", "massgen_logs");
    const found = spawnSync("find", [logs, "-path", "*/final/*/answer.txt"], { encoding: "utf8" }).stdout.trim();
    expect(readFileSync(found, "utf8")).toBe(HOSTILE.trim());
  });
});

describe.skipIf(!hasTerminal)("a terminal that is interrupted (TT-03)", () => {
  it("is given back as it was: no row of the live area, no mode left on", async () => {
    const simulator = await bench.simulate({
      respond: scriptedTeam({ "solo-model": [step.text(4000, { firstTokenMs: 20, tokensPerSecond: 20 })] }),
    });
    await bench.write("chat.yaml", teamYaml(simulator, ["solo"]));
    const { says, ended, type } = bench.massgen(["--display", "rich", "--config", "chat.yaml", "Why?"], {
      terminal: TERMINAL,
      env: { TERM: "xterm-256color" },
    });
    await says("running");
    type("\u0003");
    const { code, out } = await ended;
    expect(code).toBe(4);
    expect(out).toContain("interrupted: saving what is there");
    for (const mode of ["?25l", "?1049h", "?1000h", "?2004h"]) expect(out).not.toContain(`\u001b[${mode}`);
  });
});

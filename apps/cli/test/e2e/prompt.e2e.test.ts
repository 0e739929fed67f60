import { mkdir, readdir } from "node:fs/promises";
import { type Respond, type SimulatedRequest, scriptedTeam, step } from "@massgen/simulator";
import { openTerminal, type Terminal, terminalMissing } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, openBench, PROGRAM, teamYaml } from "./program.js";

let bench: Bench;
let terminal: Terminal | null = null;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  await terminal?.close();
  terminal = null;
  await bench.close();
});

const missing = terminalMissing();
const textOf = ({ messages }: SimulatedRequest): string => messages.map(({ text }) => text).join("\n");

describe.skipIf(missing !== null)(`a conversation where there is a screen${missing === null ? "" : ` (skipped: ${missing})`}`, () => {
  async function start(columns = 100, rows = 30): Promise<{ readonly screen: Terminal; readonly asked: readonly string[] }> {
    const asked: string[] = [];
    const respond: Respond = (request) => {
      asked.push(textOf(request));
      return { kind: "message", text: `Echo ${request.index + 1}.` };
    };
    const simulator = await bench.simulate({ respond });
    await bench.write("team.yaml", teamYaml(simulator, ["solo"]));
    await mkdir(bench.path("notes"));
    await bench.write("notes/cache.md", "LRU, ARC");
    terminal = await openTerminal([process.execPath, PROGRAM, "--config", "team.yaml"], {
      cwd: bench.folder,
      env: { HOME: bench.folder },
      columns,
      rows,
    });
    await terminal.waitFor(/Ctrl\+D/);
    await terminal.waitFor(/─{20}\n\s*\n─{20}/);
    return { screen: terminal, asked };
  }

  it("takes texts of several lines, completes files and commands, goes back to what was asked, and leaves the answers behind", async () => {
    const { screen, asked } = await start();
    await screen.type("Read @no");
    await screen.waitFor(/notes\//);
    await screen.press("Tab");
    await screen.waitFor(/@notes\/\s/);
    await screen.type("ca");
    await screen.waitFor(/cache\.md/);
    await screen.press("Tab");
    await screen.waitFor(/@notes\/cache\.md/);
    await screen.type("and say\\");
    await screen.press("Enter");
    await screen.type("two things 日本");
    await screen.press("Enter");
    await screen.waitFor(/Echo 1\./);
    await screen.waitFor(/─{20}\n\s*\n─{20}/);
    expect(asked[0]).toMatch(/Read \S*notes\/cache\.md and say\ntwo things 日本/);

    await screen.type("/his");
    await screen.waitFor(/what was asked and answered/);
    await screen.press("Tab");
    await screen.press("Enter");
    await screen.waitFor(/two things 日本[\s\S]*Echo 1\./);

    await screen.press("Up");
    await screen.press("Up");
    await screen.waitFor(/─\n\s*Read @notes\/cache\.md and say\n/);
    await screen.press("C-c");
    await screen.paste(`${Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n")}`);
    await screen.waitFor(/\[paste #1 \+30 lines\]/);
    await screen.press("Enter");
    await screen.waitFor(/Echo 2\./);
    expect(asked[1]).toContain("line 29");
    await screen.waitFor(/─{20}\n\s*\n─{20}/);
    await screen.press("C-d");
    expect(await screen.waitForExit()).toBe(0);
  });

  it("in a narrow window it wraps what is typed, and Ctrl+C twice leaves with 4", async () => {
    const { screen } = await start(60, 15);
    await screen.type("a question that is longer than the sixty cells of this narrow window, by far");
    await screen.waitFor(/by far/);
    await screen.press("C-c");
    await screen.waitFor(/─{20}\n\s*\n─{20}/);
    await screen.press("C-c");
    expect(await screen.waitForExit()).toBe(4);
  });

  it("what is said while the agents work reaches them, and the run goes on meanwhile", async () => {
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const asked: string[] = [];
    const play = scriptedTeam({ "solo-model": [step.tool("list_directory", { path: "." }), step.text("ARC it is.")] });
    const simulator = await bench.simulate({
      respond: async (request) => {
        asked.push(textOf(request));
        if (asked.length === 1) await gate;
        return play(request);
      },
    });
    const backend = { type: "chatcompletion", model: "solo-model", base_url: simulator.baseUrl("chat_completions"), cwd: "workspace" };
    await bench.write("team.yaml", JSON.stringify({ agents: [{ id: "solo", backend }] }));
    terminal = await openTerminal([process.execPath, PROGRAM, "--config", "team.yaml", "Which cache?"], {
      cwd: bench.folder,
      env: { HOME: bench.folder },
      columns: 100,
      rows: 30,
    });
    await terminal.waitFor(/working/);
    await terminal.press("i");
    await terminal.waitFor(/Say something to the agents/);
    await terminal.type("@solo It has 512 MB.");
    await terminal.press("Enter");
    await terminal.waitFor(/said to solo/);
    letGo();
    await terminal.waitFor(/Final answer · /);
    expect(asked.at(-1)).toContain("It has 512 MB.");
    expect(asked.at(-1)).not.toContain("@solo");
    expect(await terminal.waitForExit()).toBe(0);
  });

  /** A conversation whose first answer comes when it is let go. */
  async function startHeld() {
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const asked: string[] = [];
    const simulator = await bench.simulate({
      respond: async (request) => {
        asked.push(textOf(request));
        const place = asked.length;
        if (place === 1) await gate;
        return { kind: "message", text: `Echo ${place}.` };
      },
    });
    await bench.write("team.yaml", teamYaml(simulator, ["solo"]));
    terminal = await openTerminal([process.execPath, PROGRAM, "--config", "team.yaml"], {
      cwd: bench.folder,
      env: { HOME: bench.folder },
      columns: 100,
      rows: 30,
    });
    const screen = terminal;
    await screen.waitFor(/─{20}\n\s*\n─{20}/);
    await screen.type("Which cache?");
    await screen.press("Enter");
    await screen.waitFor(/n next/);
    const wait = async (text: string): Promise<void> => {
      await screen.waitFor(/for when this turn is over[\s\S]*─{20}\n\s*\n─{20}/);
      await screen.type(text);
      await screen.press("Enter");
    };
    return { screen, asked, letGo, wait };
  }

  it("questions that are typed while a turn runs wait, are changed and dropped, and are asked one after the other", async () => {
    const { screen, asked, letGo, wait } = await startHeld();
    await screen.press("n");
    await wait("How long?");
    await screen.waitFor(/next: How long\?/);
    for (const text of ["Dropped.", "/cost"]) {
      await screen.press("n");
      await screen.waitFor(/Asked when this turn is over/);
      await screen.press("n");
      await wait(text);
      await screen.waitFor(text);
      await screen.press("Escape");
      await screen.waitFor(/n next/);
    }
    await screen.waitFor(/next: How long\? \+2/);
    await screen.press("n");
    await screen.waitFor(/▸ 1 How long\?/);
    await screen.press("Enter");
    await screen.waitFor(/─\n\s*How long\?\s*\n─/);
    await screen.type(" In seconds.");
    await screen.press("Enter");
    await screen.waitFor(/▸ 1 How long\? In seconds\./);
    await screen.press("Down");
    await screen.waitFor(/▸ 2 Dropped\./);
    await screen.press("x");
    await screen.waitFor(/▸ 2 \/cost/);
    await screen.press("Escape");
    letGo();
    await screen.waitFor(/Echo 1\.[\s\S]*> How long\? In seconds\.[\s\S]*Echo 2\.[\s\S]*> \/cost[\s\S]*1 turn before it/);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain("How long? In seconds.");
    await screen.waitFor(/─{20}\n\s*\n─+\s*$/);
    await screen.press("C-d");
    expect(await screen.waitForExit()).toBe(0);
  });

  it("who is typing when the turn ends finishes first, and is asked about next", async () => {
    const { screen, asked, letGo } = await startHeld();
    await screen.press("n");
    await screen.waitFor(/for when this turn is over/);
    await screen.type("Half a ");
    await screen.waitFor(/Half a/);
    letGo();
    await expect
      .poll(() => readdir(bench.path(".massgen"), { recursive: true }))
      .toContainEqual(expect.stringMatching(/final\/.*answer\.txt$/));
    await screen.type("question?");
    await screen.waitFor(/Half a question\?/);
    await screen.press("Enter");
    await screen.waitFor(/Echo 1\.[\s\S]*> Half a question\?[\s\S]*Echo 2\./);
    expect(asked[1]).toContain("Half a question?");
    await screen.waitFor(/─{20}\n\s*\n─+\s*$/);
    await screen.press("C-d");
    expect(await screen.waitForExit()).toBe(0);
  });

  it("what waits for a turn that is cancelled is not asked, and the arrow brings it back", async () => {
    const { screen, asked, wait } = await startHeld();
    await screen.press("n");
    await wait("How long?");
    await screen.waitFor(/next: How long\?/);
    await screen.press("q");
    await screen.waitFor(/Stop the run\?/);
    await screen.press("y");
    await screen.waitFor(/not asked, but a key away \(up\): 1 question that waited/);
    await screen.waitFor(/─{20}\n\s*\n─+\s*$/);
    await screen.press("Up");
    await screen.waitFor(/─\n\s*How long\?\s*\n─/);
    expect(asked).toHaveLength(1);
    await screen.press("C-u");
    await screen.waitFor(/─{20}\n\s*\n─+\s*$/);
    await screen.press("C-d");
    expect(await screen.waitForExit()).toBe(0);
  });
});

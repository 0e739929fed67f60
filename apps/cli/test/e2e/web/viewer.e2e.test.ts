import { mkdir, readdir, rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { axeSource, launch } from "@massgen/browser";
import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import type { Browser } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { type Bench, lineOf, openBench, teamYaml } from "../program.js";
import { chromiumPath, here, look, type Seen } from "./page.js";

const team = (): Respond =>
  scriptedTeam({
    "ada-model": [step.answer("Use **LRU**: it is simple."), step.vote("agent2", "adapts to the load")],
    "bob-model": [step.answer("Use **ARC**: it adapts."), step.vote("agent2", "mine covers scans"), step.text("ARC it is.")],
  });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
async function benchOf(): Promise<Bench> {
  const bench = await openBench();
  closing.push(bench.close);
  return bench;
}

/** Plays one run with a simulated team and takes its config away. Gives the folder of its log. */
async function record(bench: Bench): Promise<string> {
  const simulator = await bench.simulate({ respond: team() });
  await bench.write("team.yaml", teamYaml(simulator, ["ada", "bob"]));
  const { code, out, err } = await bench.run(["--config", "team.yaml", "--automation", "Which cache?"]);
  expect({ code, err }).toMatchObject({ code: 0 });
  await rename(bench.path("team.yaml"), bench.path("gone.txt"));
  return lineOf(out, "LOG_DIR");
}

interface Viewed {
  readonly url: string;
  readonly open: () => Promise<Seen>;
}

/** `massgen viewer --web` until the test is over. */
async function view(bench: Bench, argv: readonly string[]): Promise<Viewed> {
  const { child, ended } = bench.massgen(["viewer", "--web", "--port", "0", ...argv]);
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout?.on("data", (text: string) => {
      said += text;
      const found = /^(http:\S+)\n/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ code, err }) => reject(new Error(`it ended with ${code}: ${err}`)));
  });
  let browser: Browser | null = null;
  closing.push(async () => browser?.close());
  return {
    url,
    async open() {
      browser ??= await launch();
      return look(browser, url, {});
    },
  };
}

describe.skipIf(chromiumPath === null)(`massgen viewer --web${here}`, { timeout: 90_000 }, () => {
  it("shows a recorded run, why it ended so, and how it came, with neither config nor key, and offers nothing that changes it", async () => {
    const bench = await benchOf();
    const log = await record(bench);
    const viewed = await view(bench, []);
    expect(new URL(viewed.url)).toMatchObject({ hostname: "127.0.0.1", hash: `#/runs/${basename(log)}` });
    const { page, requests, faults } = await viewed.open();
    const final = page.getByRole("region", { name: "Final answer" });
    await final.getByText("ARC it is.").waitFor();
    await final.getByText("Why this answer?").click();
    expect(await final.textContent()).toContain("adapts to the load");
    for (const tab of ["Answers", "Votes", "Decision", "Timeline", "Changes", "Files", "Cost", "Replay"]) {
      await page.getByRole("navigation", { name: "Parts of the run" }).getByRole("link", { name: tab }).click();
      await page.getByRole("region", { name: tab, exact: true }).waitFor();
      if (tab !== "Answers") continue;
      await page.getByRole("button", { name: "agent1.1" }).click();
      await page.getByRole("article", { name: "Answer agent1.1" }).getByText("it is simple").waitFor();
    }
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.getByRole("slider").fill("1");
    await page.getByText("After 1 of").waitFor();
    await page.getByRole("button", { name: "One back" }).press("Enter");
    await page.getByText("After 0 of").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("One back");
    expect(await page.title()).toBe("Which cache? · MassGen");
    await page.evaluate(axeSource);
    expect(await page.evaluate(SERIOUS)).toEqual([]);

    expect(await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents()).toEqual(["Runs"]);
    await page.getByText("only to look at").waitFor();
    await page.keyboard.press("n");
    for (const gone of ["Question", "Say something to the agents while they work"]) expect(await page.getByLabel(gone).count()).toBe(0);
    for (const gone of ["Ask the team", "Answer now", "Stop the run", "Send"])
      expect(await page.getByRole("button", { name: gone }).count()).toBe(0);
    expect(await page.getByRole("heading", { name: "Go on" }).count()).toBe(0);
    await page.getByRole("link", { name: "MassGen" }).click();
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Which cache?" }).waitFor();
    expect(await page.title()).toBe("Runs · MassGen");
    for (const place of ["#/setup", "#/teams", "#/sessions", "#/ask/massgen"]) {
      await page.goto(`${new URL(viewed.url).origin}/${place}`);
      await page.getByText("This server only shows runs.").waitFor();
    }
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(new URL(viewed.url).origin))).toEqual([]);
  });

  it("refuses at the server what the page does not offer, and writes no file", async () => {
    const bench = await benchOf();
    const log = await record(bench);
    const before = await readdir(bench.folder, { recursive: true });
    const { url } = await view(bench, [log]);
    const run = `/api/runs/${basename(log)}`;
    for (const [method, path, body] of [
      ["POST", "/api/runs", { question: "And for bursts?" }],
      ["POST", `${run}/cancel`, {}],
      ["POST", `${run}/answer-now`, {}],
      ["POST", `${run}/input`, { text: "Hurry!" }],
      ["POST", `${run}/requests/1`, { reply: "deny" }],
      ["POST", `${run}/review`, { accept: "all" }],
      ["PUT", "/api/setup/keys", { variable: "OPENAI_API_KEY", value: "sk-planted-0123456789" }],
      ["POST", "/api/configs", { name: "x", text: "" }],
    ] as const) {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${new URL(url).origin}${path}`, { method, headers, body: JSON.stringify(body) });
      expect([path, response.status, await response.json()]).toMatchObject([path, 403, { error: { code: "read_only" } }]);
    }
    expect(await readdir(bench.folder, { recursive: true })).toEqual(before);
  });

  it("opens a log from elsewhere, and names what is none", async () => {
    const bench = await benchOf();
    const log = await record(bench);
    await mkdir(bench.path("kept"));
    await rename(log, bench.path("kept", "my run"));
    const { page, faults } = await (await view(bench, ["kept/my run", "--turn", "1"])).open();
    await page.getByRole("region", { name: "Final answer" }).getByText("ARC it is.").waitFor();
    expect(page.url()).toContain("#/runs/shown.1");
    expect(faults).toEqual([]);
    for (const [argv, wanted, why] of [
      [["kept"], 2, "it has no events.jsonl"],
      [["nowhere"], 1, "no log folder"],
      [["latest"], 1, "There is no log in"],
      [["kept/my run", "--turn", "3"], 1, "no turn 3"],
    ] as const) {
      const { code, out, err } = await bench.run(["viewer", "--web", "--port", "0", ...argv]);
      expect({ code, out }).toEqual({ code: wanted, out: "" });
      expect(err).toContain(why);
    }
  });

  it("follows a run that another process still plays, and says how", async () => {
    const bench = await benchOf();
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const play = team();
    const simulator = await bench.simulate({
      respond: (request) => (request.model === "bob-model" ? gate.then(() => play(request)) : play(request)),
    });
    await bench.write("team.yaml", teamYaml(simulator, ["ada", "bob"]));
    const playing = bench.massgen(["--config", "team.yaml", "--automation", "Which cache?"]);
    await playing.says("LOG_DIR: ");
    const viewed = await view(bench, []);
    const { page, faults } = await viewed.open();
    await page.getByText("Another process plays this run").waitFor();
    await page.getByText("agent1.1").first().waitFor();
    expect(await page.getByRole("button", { name: "Stop the run" }).count()).toBe(0);
    letGo();
    await page.getByRole("region", { name: "Final answer" }).getByText("ARC it is.").waitFor();
    expect((await playing.ended).code).toBe(0);
    await expect.poll(() => page.getByText("Another process plays this run").count()).toBe(0);
    expect(faults).toEqual([]);
    expect(dirname(new URL(viewed.url).hash)).toBe("#/runs");
  });
});

const SERIOUS =
  "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html))";

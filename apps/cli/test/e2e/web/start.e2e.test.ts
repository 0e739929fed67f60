import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { axeSource } from "@massgen/browser";
import { scriptedTeam, step } from "@massgen/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { openBench, teamYaml } from "../program.js";
import { chromiumPath, here, openWeb } from "./page.js";

const open: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

describe.skipIf(chromiumPath === null)(`the form that starts a run in the web page${here}`, { timeout: 90_000 }, () => {
  it("shows who is in a team and whose key is missing, leads to the set-up, and keeps what was typed", async () => {
    const web = await openWeb(scriptedTeam(), { ids: ["ada"] });
    open.push(web);
    await web.bench.write("two.yaml", "agents:\n- {id: cloud, backend: {type: claude, model: claude-haiku-4-5}}\n");
    const { page, faults } = await web.open();
    await page.getByLabel("Question").fill("Which cache?");
    expect(await page.getByRole("list", { name: "Who takes part" }).textContent()).toContain("ada · ada-model needs no key");
    await page.getByLabel("Team").fill("massgen/path:two.yaml");
    await expect
      .poll(() => page.getByRole("list", { name: "Who takes part" }).textContent())
      .toContain("○ cloud · claude-haiku-4-5 its key is missing: ANTHROPIC_API_KEY");
    await page.getByRole("link", { name: "Give the key" }).click();
    await page.getByRole("heading", { name: "Keys of providers" }).waitFor();
    await page.goBack();
    expect(await page.getByLabel("Question").inputValue()).toBe("Which cache?");
    expect(await page.getByLabel("Team").inputValue()).toBe("massgen/path:two.yaml");
    // A team that is named counts more than the one chosen before.
    await page.goto(`${web.address}/#/ask/massgen%2Fpath%3Ateam.yaml`);
    await expect.poll(() => page.getByLabel("Team").inputValue()).toBe("massgen/path:team.yaml");
    expect(faults).toEqual([]);
  });

  it("begins with the set-up where there is no team and nothing was asked yet", async () => {
    const bench = await openBench();
    open.push(bench);
    const place = async (): Promise<string> => {
      const { child, ended } = bench.massgen(["--web", "--no-browser", "--web-port", "0"]);
      const [said] = (await once(child.stdout!, "data")) as [Buffer];
      child.kill("SIGTERM");
      await ended;
      return new URL(String(said).trim()).hash;
    };
    expect(await place()).toBe("#/setup");
    const simulator = await bench.simulate({ respond: scriptedTeam() });
    await mkdir(bench.path(".massgen"), { recursive: true });
    await bench.write(".massgen/config.yaml", teamYaml(simulator, ["ada"]));
    expect(await place()).toBe("");
  });

  it("warns where the default team lacks its key", async () => {
    const web = await openWeb(scriptedTeam(), { team: null });
    open.push(web);
    await mkdir(web.bench.path(".massgen"), { recursive: true });
    await web.bench.write(".massgen/config.yaml", "agents:\n- {id: cloud, backend: {type: claude, model: claude-haiku-4-5}}\n");
    const { page } = await web.open();
    const warning = page.getByRole("status").filter({ hasText: "The default team cannot be asked yet." });
    await warning.waitFor();
    expect(await warning.textContent()).toMatch(/Agent "cloud" .* needs an API key: set .*ANTHROPIC_API_KEY/);
    await warning.getByRole("link", { name: "Set one up" }).click();
    await page.getByRole("heading", { name: "Keys of providers" }).waitFor();
  });

  it("gives a run a folder, chosen by the keyboard alone, and says what is not there", async () => {
    const web = await openWeb(scriptedTeam({ "ada-model": [step.text("ARC it is.")] }), { ids: ["ada"] });
    open.push(web);
    await mkdir(web.bench.path("project/src"), { recursive: true });
    await writeFile(web.bench.path("project/notes.txt"), "cache: ARC");
    const { page, faults } = await web.open();
    await page.getByLabel("Question").fill("Which cache?");
    await page.getByText("Files and folders for the agents").press("Enter");
    await page.getByLabel("Path").fill("nothing");
    await page.getByLabel("Path").press("Enter");
    await page.getByRole("alert").filter({ hasText: 'There is no folder "nothing".' }).waitFor();
    await page.getByLabel("Path").fill(".");
    await page.getByLabel("Path").press("Enter");
    await page.getByRole("button", { name: "Open project" }).press("Enter");
    await page.getByRole("button", { name: "Open src" }).waitFor();
    await page.getByRole("button", { name: "Add this folder" }).press("Enter");
    await page.getByRole("button", { name: "Add notes.txt" }).press("Enter");
    await page.getByRole("button", { name: /^Without .*notes\.txt$/ }).press("Enter");
    await page.getByLabel(/What the agents may do with .*project/).selectOption("write");
    await page.evaluate(axeSource);
    const serious = await page.evaluate<readonly string[]>(
      "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html))",
    );
    expect(serious).toEqual([]);
    await page.reload();
    await page.getByText("chosen: 1").waitFor();
    await page.getByRole("button", { name: "Ask the team" }).press("Enter");
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    expect(web.asked()).toContain(web.bench.path("project"));
    expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
    // What was asked is not offered again.
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    expect(await page.getByLabel("Question").inputValue()).toBe("");
  });
});

import { readFile, stat } from "node:fs/promises";
import { axeSource } from "@massgen/browser";
import { scriptedTeam, step } from "@massgen/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { chromiumPath, here, openWeb, type WebBench } from "./page.js";

const KEY = "sk-ant-planted-0123456789";
const open: WebBench[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

describe.skipIf(chromiumPath === null)(`the first use of the web page${here}`, { timeout: 90_000 }, () => {
  it("goes from nothing to a first answer: a key, a team, its file, a question", async () => {
    const web = await openWeb(scriptedTeam({ "ada-model": [step.text("ARC it is.")] }), { config: "", team: null });
    open.push(web);
    const { page, faults } = await web.open();
    const bodies: string[] = [];
    page.on(
      "response",
      (response) =>
        void response.text().then(
          (text) => bodies.push(text),
          () => {},
        ),
    );
    await page.getByRole("link", { name: "Set one up" }).click();
    await page.getByRole("heading", { name: "Keys of providers" }).waitFor();
    await page.getByLabel("Key of").selectOption("ANTHROPIC_API_KEY");
    await page.getByLabel("New key: ANTHROPIC_API_KEY").fill("sk or not");
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("alert").filter({ hasText: "no spaces" }).waitFor();
    await page.getByLabel("New key: ANTHROPIC_API_KEY").fill(KEY);
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByText("ANTHROPIC_API_KEY is kept").waitFor();
    const file = web.bench.path(".config", "massgen", ".env");
    expect(await readFile(file, "utf8")).toContain(KEY);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await page.getByText("is set, in ~/.config/massgen/.env").waitFor();
    // Taken out again, after asking once more, and given anew.
    await page.getByRole("button", { name: "Remove ANTHROPIC_API_KEY" }).press("Enter");
    await page.getByRole("button", { name: "Really remove ANTHROPIC_API_KEY" }).press("Enter");
    await page.getByText("ANTHROPIC_API_KEY is removed.").waitFor();
    await expect.poll(() => readFile(file, "utf8")).not.toContain(KEY);
    await page.getByLabel("New key: ANTHROPIC_API_KEY").fill(KEY);
    await page.getByRole("button", { name: "Keep it" }).press("Enter");
    await page.getByRole("button", { name: "Remove ANTHROPIC_API_KEY" }).waitFor();

    // The form writes the file; a hand may change it. Here it gets an address that answers.
    const yaml = page.getByLabel("The file");
    await page.getByLabel("Model").first().fill("claude-haiku-4-5");
    await expect.poll(() => yaml.inputValue()).toContain("claude-haiku-4-5");
    await yaml.fill("agents:\n  - id: ada\n    backend: {type: chatcompletio, model: ada-model}\n");
    await page.getByText("Line 3").waitFor();
    // What a hand wrote is not lost to the form, which rests until it is wanted again.
    await page.getByText("The file was changed by hand").waitFor();
    expect(await page.getByLabel("Model").first().isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Back to what the form wrote" }).press("Enter");
    await expect.poll(() => yaml.inputValue()).toContain("claude-haiku-4-5");
    await page.getByLabel("Model").first().fill("claude-sonnet-4-5");
    await expect.poll(() => yaml.inputValue()).toContain("claude-sonnet-4-5");
    await yaml.fill(await readFile(web.bench.path("simulated.txt"), "utf8"));
    await page.getByText("The configuration is valid.").waitFor();
    await page.getByRole("button", { name: "Save the team" }).click();
    await page.getByText(".massgen/config.yaml is written.").waitFor();
    await page.getByRole("link", { name: "Ask this team" }).click();
    await page.getByLabel("Question").fill("Which cache?");
    await page.getByRole("button", { name: "Ask the team" }).click();
    await page.getByRole("region", { name: "Final answer" }).getByText("ARC it is.").waitFor();

    expect(faults.filter((fault) => !fault.includes("400"))).toEqual([]);
    expect(bodies.join("")).not.toContain("planted");
    expect(await page.content()).not.toContain("planted");
    expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage])")).not.toContain("planted");
  });

  it("shows the teams there are, checks a change as it is typed, and keeps it under a name; axe has nothing serious to say", async () => {
    const web = await openWeb(scriptedTeam(), {});
    open.push(web);
    const { page } = await web.open("#/teams");
    await page.getByRole("button", { name: "team.yaml" }).click();
    const yaml = page.getByLabel("The file");
    await yaml.waitFor();
    await yaml.fill(`${await yaml.inputValue()}orchestrator:\n  max_new_answers_per_agent: 2\n`);
    await page.getByText("The configuration is valid.").waitFor();
    await page.getByLabel("Name").fill("two");
    await page.getByRole("button", { name: "Save the team" }).click();
    await page.getByText(".massgen/two.yaml is written.").waitFor();
    expect(await readFile(web.bench.path(".massgen", "two.yaml"), "utf8")).toContain("max_new_answers_per_agent: 2");
    for (const place of ["#/teams", "#/setup"]) {
      const seen = await web.open(place);
      await seen.page.getByRole("heading", { level: 1 }).waitFor();
      await seen.page.evaluate(axeSource);
      const serious = await seen.page.evaluate<readonly string[]>(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html))",
      );
      expect(serious, place).toEqual([]);
    }
  });
});

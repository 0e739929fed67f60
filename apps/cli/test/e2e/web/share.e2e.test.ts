import { readFile } from "node:fs/promises";
import { axeSource, HOSTILE } from "@massgen/browser";
import { scriptedTeam, step } from "@massgen/simulator";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, here, openWeb, type WebBench } from "./page.js";

const HOSTILE_TEXT = HOSTILE.join("\n\n");
const run = (text: string, reason: string) => ({
  ada: [step.answer(`ada: ${text}`), step.vote("agent2", reason)],
  bob: [step.answer(`bob: ${text}`), step.vote("agent2", reason), step.text(text)],
});
const FIRST = run("Use **LRU**.\n\nIt is simple.", "covers scans");
const SECOND = run("Use **ARC**.\n\nIt is simple.", "adapts to the load");
const THIRD = run(HOSTILE_TEXT, HOSTILE_TEXT);

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await page.getByLabel("Question").fill(question);
  await page.getByRole("button", { name: "Ask the team" }).click();
  await page.getByRole("heading", { name: "Final answer" }).waitFor();
}

describe.skipIf(chromiumPath === null)(`what is taken out of runs and compared, in the web page${here}`, { timeout: 90_000 }, () => {
  let web: WebBench;
  beforeAll(async () => {
    web = await openWeb(
      scriptedTeam({
        "ada-model": [...FIRST.ada, ...SECOND.ada, ...THIRD.ada],
        "bob-model": [...FIRST.bob, ...SECOND.bob, ...THIRD.bob],
      }),
    );
    const { page } = await web.open();
    await ask(page, "Which cache, first?");
    await ask(page, "Which cache, second?");
    await ask(page, HOSTILE_TEXT);
  }, 60_000);
  afterAll(() => web?.close());

  it("two runs are ticked and compared: the older is the first, what differs has a sign", async () => {
    const { page, faults, requests } = await web.open("#/runs");
    const first = page.getByRole("checkbox", { name: "Compare: Which cache, first?" });
    const second = page.getByRole("checkbox", { name: "Compare: Which cache, second?" });
    await second.check();
    await page.getByRole("status").filter({ hasText: "Tick one more" }).waitFor();
    await first.check();
    expect(await page.getByRole("checkbox", { checked: false }).isDisabled()).toBe(true);
    await page.getByRole("link", { name: "Compare them" }).click();

    const facts = page.getByRole("table", { name: "Their facts" });
    expect(await facts.getByRole("row", { name: "Question" }).textContent()).toMatch(/first\?Which cache, second\?/);
    expect(await facts.getByRole("row", { name: "Winner" }).textContent()).toMatch(/agent2\.1 · agent2 \(bob\)agent2\.1 · agent2 \(bob\)/);
    const differs = page.getByRole("region", { name: "What differs in the final answers" });
    await differs.getByText("-Use **LRU**.").waitFor();
    expect(await differs.locator("pre").textContent()).toContain("+Use **ARC**.");
    const result = page.getByRole("article", { name: "Second run" });
    expect(await result.textContent()).toContain("adapts to the load");
    expect(await result.textContent()).not.toContain("covers scans");

    await differs.getByRole("button", { name: "By words" }).click();
    expect(await differs.locator("del").allTextContents()).toEqual(["LRU"]);
    expect(await differs.locator("ins").allTextContents()).toEqual(["ARC"]);
    await differs.getByRole("button", { name: "By lines" }).click();

    await page.getByRole("link", { name: "Swap them" }).click();
    await differs.getByText("-Use **ARC**.").waitFor();
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(`${web.address}/`))).toEqual([]);
  });

  it.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("hostile runs are compared without harm, and for everybody: %s, %i wide", async (colorScheme, width) => {
    const { page, faults, requests } = await web.open("#/runs", { colorScheme, viewport: { width, height: 900 } });
    await page.getByRole("checkbox").nth(0).check();
    await page.getByRole("checkbox").nth(1).check();
    await page.getByRole("link", { name: "Compare them" }).click();
    await page.getByRole("region", { name: "What differs in the final answers" }).locator("pre").first().waitFor();
    expect(await page.evaluate("globalThis.wasPwned")).toBeUndefined();
    await page.evaluate(axeSource);
    const serious = await page.evaluate(
      "axe.run(document).then((found) => found.violations.filter((one) => /serious|critical/.test(one.impact)).map((one) => one.id + ' ' + one.nodes[0].html))",
    );
    expect(serious).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(`${web.address}/`))).toEqual([]);
  });

  it("gives the answer, the decision and every fact as files, by keyboard", async () => {
    const { page, faults } = await web.open("#/runs");
    await page.getByRole("link", { name: "Which cache, second?" }).click();
    await page.getByRole("heading", { name: "Final answer" }).waitFor();
    const take = async (name: string): Promise<string> => {
      await page.getByText("Export", { exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name }).focus();
      const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
      expect(file.suggestedFilename()).toMatch(/^massgen-[\w.-]+\.(?:md|jsonl|html)$/);
      expect(await page.evaluate("document.activeElement.tagName")).toBe("SUMMARY");
      return readFile(await file.path(), "utf8");
    };
    expect(await take("Final answer (.md)")).toBe("Use **ARC**.\n\nIt is simple.");
    expect(await take("Decision (.md)")).toMatch(/^# Decision\n.*agent2\.1 by agent2 \(bob\) won.*“adapts to the load”/s);
    const facts = (await take("All facts (.jsonl)"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly seq: number; readonly type: string });
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, index) => index + 1));
    expect(facts.at(-1)?.type).toBe("run_finished");
    expect(await take("All of it as a page (.html)")).toMatch(/^<!doctype html>.*agent2\.1.*adapts to the load/s);
    expect(faults).toEqual([]);
  });
});

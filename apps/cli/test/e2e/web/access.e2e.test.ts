import { axeSource } from "@massgen/browser";
import { scriptedTeam, step } from "@massgen/simulator";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, here, openWeb, type WebBench } from "./page.js";

const ANSWER =
  "# Title\n\nUse **LRU**.\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n- one\n- [two](https://example.com)";
const TEAM = {
  "ada-model": [step.answer(ANSWER), step.vote("agent2", "adapts to the load")],
  "bob-model": [step.answer(ANSWER), step.vote("agent1", "simple"), step.text(ANSWER)],
};

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds of weight, as `rule: element`. */
async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const violations = await page.evaluate<readonly Finding[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations)",
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

describe.skipIf(chromiumPath === null)(`the web page for everybody${here}`, { timeout: 120_000 }, () => {
  let web: WebBench;
  let run: string;
  beforeAll(async () => {
    web = await openWeb(scriptedTeam(TEAM));
    const { page } = await web.open();
    // The whole way by keyboard alone, from the top of the page.
    await page.keyboard.press("n");
    for (let presses = 0; presses < 20 && (await focused(page)) !== "TEXTAREA question"; presses++) await page.keyboard.press("Tab");
    await page.keyboard.type("Which cache?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    run = page.url().slice(page.url().indexOf("#"));
  }, 60_000);
  afterAll(() => web?.close());

  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => `${document.activeElement?.tagName ?? ""} ${document.activeElement?.id ?? ""}`);

  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
  ] as const)("axe has nothing serious to say: %s, %i wide", async (colorScheme, width) => {
    const { page } = await web.open("", { colorScheme, viewport: { width, height: 900 } });
    await page.getByText("Which cache?").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.goto(`${web.address}/${run}`);
    await page.locator("[data-tab]").first().waitFor();
    const tabs = await page.locator("[data-tab]").evaluateAll((links) => links.map((link) => link.getAttribute("data-tab")));
    expect(tabs).toEqual(expect.arrayContaining(["team", "answers", "votes", "files", "replay"]));
    for (const tab of tabs) {
      await page.goto(`${web.address}/${run}/${tab}`);
      await page.getByRole("region", { name: "Final answer" }).waitFor();
      if (tab === "files") {
        await page.getByRole("button", { name: "decision.json", exact: true }).click();
        await page.locator(".preview pre .good").first().waitFor();
      }
      expect(await seriousFindings(page), tab ?? "").toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(wide, `${tab} scrolls sideways by`).toBeLessThanOrEqual(0);
    }
  });

  it("opens the list of keys with ? and closes it with Escape, and goes to tabs by number", async () => {
    const { page } = await web.open(run);
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
    await page.keyboard.press("3");
    await page.locator('[data-tab][aria-current="page"]').nth(0).waitFor();
    expect(await page.locator("[data-tab]").nth(2).getAttribute("aria-current")).toBe("page");
  });
});

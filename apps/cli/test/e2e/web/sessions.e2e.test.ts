import { readFile } from "node:fs/promises";
import type { Respond } from "@massgen/simulator";
import { afterEach, expect, it } from "vitest";
import { chromiumPath, here, openWeb, type WebBench } from "./page.js";

const open: WebBench[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

it.skipIf(chromiumPath === null)(
  `a conversation in the web page goes on: the next question knows the one before${here}`,
  { timeout: 90_000 },
  async () => {
    const asked: string[] = [];
    const respond: Respond = (request) => {
      asked.push(request.messages.map(({ text }) => text).join("\n"));
      return { kind: "message", text: `Echo ${request.index + 1}.` };
    };
    const web = await openWeb(respond, { ids: ["solo"] });
    open.push(web);
    const { page, faults } = await web.open();
    const final = page.getByRole("region", { name: "Final answer" });
    await page.getByLabel("Question").fill("Which cache?");
    await page.getByRole("button", { name: "Ask the team" }).click();
    await final.getByText("Echo 1.").waitFor();
    await page.getByRole("heading", { name: "Go on" }).waitFor();
    await page.getByLabel("Question").fill("And for bursts?");
    await page.getByRole("button", { name: "Ask the team" }).click();
    await final.getByText("Echo 2.").waitFor();
    expect(asked[1]).toMatch(/Which cache\?[\s\S]*Echo 1\.[\s\S]*And for bursts\?/);
    await page.getByRole("link", { name: "The whole conversation" }).click();
    await page.getByRole("article", { name: "Turn 2" }).waitFor();
    expect(await page.locator("article.turn h2").allTextContents()).toEqual(["Which cache?", "And for bursts?"]);
    expect(await page.getByRole("article", { name: "Turn 1" }).textContent()).toContain("Echo 1.");
    await page.getByRole("link", { name: "Conversations" }).click();
    await page.getByRole("heading", { name: "Conversations" }).waitFor();
    await page.locator("ul.runs a").first().waitFor();
    expect(await page.locator("ul.runs .facts").first().textContent()).toContain("turns: 2");
    // A conversation that was opened while its turn was being put away is asked for again.
    expect(faults.filter((fault) => !fault.includes("409"))).toEqual([]);
  },
);

it.skipIf(chromiumPath === null)(
  `a conversation goes on with the team it had, and a run that stands alone says so${here}`,
  { timeout: 90_000 },
  async () => {
    const asked: string[] = [];
    const web = await openWeb(
      (request) => {
        asked.push(request.model);
        return { kind: "message", text: `Echo ${request.index + 1}.` };
      },
      { ids: ["solo"] },
    );
    open.push(web);
    const text = await readFile(web.bench.path("team.yaml"), "utf8");
    await web.bench.write("other.yaml", text.replaceAll("solo-model", "other-model"));
    const { page } = await web.open();
    const final = page.getByRole("region", { name: "Final answer" });
    await page.getByLabel("Question").fill("Which cache?");
    await page.getByLabel("Team").fill("massgen/path:other.yaml");
    await page.getByRole("button", { name: "Ask the team" }).click();
    await final.getByText("Echo 1.").waitFor();
    await page.getByRole("link", { name: "The whole conversation" }).click();
    await page.getByRole("article", { name: "Turn 1" }).waitFor();
    expect(await page.getByLabel("Team").inputValue()).toBe("massgen/path:other.yaml");
    await page.getByLabel("Question").fill("And for bursts?");
    await page.getByRole("button", { name: "Ask the team" }).click();
    await final.getByText("Echo 2.").waitFor();
    expect(asked).toEqual(["other-model", "other-model"]);
    await page.goto(`${web.address}/#/`);
    await page.getByLabel("Question").fill("Alone?");
    await page.getByLabel("as a conversation").uncheck();
    await page.getByRole("button", { name: "Ask the team" }).click();
    await page.getByText("This run stands alone").waitFor();
    await page.getByRole("link", { name: "Ask something new" }).click();
    await page.getByRole("heading", { name: "Recent" }).waitFor();
  },
);

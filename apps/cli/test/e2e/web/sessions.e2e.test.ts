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
    expect(faults).toEqual([]);
  },
);

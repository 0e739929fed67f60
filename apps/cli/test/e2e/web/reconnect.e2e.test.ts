import { createClient } from "@massgen/client";
import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { chromiumPath, here, openWeb, type WebBench } from "./page.js";
import { type Line, openProxy } from "./proxy.js";

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A team whose second answer waits until it is let go. */
async function heldTeam(): Promise<{ readonly web: WebBench; readonly letGo: () => void }> {
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const script = scriptedTeam({
    "ada-model": [step.answer("Use LRU."), step.vote("agent2", "adapts")],
    "bob-model": [step.answer("Use ARC."), step.vote("agent2", "mine"), step.text("ARC it is.")],
  });
  const respond: Respond = async (request) => {
    if (request.model === "bob-model") await gate;
    return script(request);
  };
  const web = await openWeb(respond);
  open.push(web);
  return { web, letGo };
}

const timelineOf = async (page: Page): Promise<readonly string[]> => {
  await page.getByRole("link", { name: "Timeline" }).click();
  await page.locator("ol.timeline li").first().waitFor();
  return (await page.locator("ol.timeline li span").allTextContents()).toReversed();
};

async function asked(page: Page): Promise<string> {
  await page.getByLabel("Question").fill("Which cache?");
  await page.getByRole("button", { name: "Ask the team" }).click();
  await page.getByText("submits agent1.1").waitFor();
  return decodeURIComponent(/#\/runs\/([^/]+)/.exec(page.url())?.[1] ?? "");
}

describe.skipIf(chromiumPath === null)(`the web page and its connection${here}`, { timeout: 90_000 }, () => {
  it("works below the path of a proxy, says when the line is cut, and misses and doubles nothing once it is back", async () => {
    const { web, letGo } = await heldTeam();
    const proxy: Line = await openProxy(web.address, "/tools/massgen/");
    open.push(proxy);
    const seen = await web.open();
    await seen.page.goto(proxy.url);
    const { page, requests } = seen;
    const id = await asked(page);
    proxy.cut();
    await page.getByText("The connection is lost").waitFor();
    // What happens meanwhile, the page cannot see.
    letGo();
    const client = createClient({ baseUrl: web.address });
    const facts: string[] = [];
    for await (const event of client.watch(id, { factsOnly: true })) if ("seq" in event) facts.push(event.type);
    proxy.mend();
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    expect(await page.getByText("The connection is lost").count()).toBe(0);
    const watched = await timelineOf(page);
    // The same run, opened anew.
    const fresh = await web.open(`#/runs/${id}/timeline`);
    expect(watched).toEqual(await timelineOf(fresh.page));
    expect(watched.filter((text) => text.includes("voted for"))).toHaveLength(facts.filter((type) => type === "vote_cast").length);
    expect(requests.filter((url) => !url.startsWith(web.address) && !url.startsWith(proxy.url))).toEqual([]);
  });

  it("finds a run again after the server was killed and started anew, and says that it was interrupted", async () => {
    const { web } = await heldTeam();
    const { page } = await web.open();
    await asked(page);
    await web.restart();
    await page.getByText("interrupted").first().waitFor();
    expect(await page.getByText("submits agent1.1").count()).toBe(1);
  });

  it("is wound back and forth: a run as it was at any fact, by mouse and by keys", async () => {
    const { web, letGo } = await heldTeam();
    letGo();
    const { page, faults } = await web.open();
    await asked(page);
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    await page.getByRole("link", { name: "Replay" }).click();
    const slider = page.getByRole("slider");
    await slider.waitFor();
    const votes = page.getByRole("table", { name: "Votes as they stand" });
    expect(await votes.getByText("voted for it").count()).toBe(2);
    await slider.press("Home");
    await page.getByText("After 0 of").waitFor();
    expect(await votes.count()).toBe(0);
    await slider.press("ArrowRight");
    await page.getByText("After 1 of").waitFor();
    await page.getByRole("button", { name: "One on" }).click();
    await page.getByText("After 2 of").waitFor();
    // The space bar opens the list of speeds, as it does everywhere, and plays nothing.
    await page.getByLabel("Speed").press(" ");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(0);
    await page.getByLabel("Speed").selectOption("100");
    await page.getByRole("button", { name: "Play" }).click();
    await votes.getByText("voted for it").nth(1).waitFor();
    expect(faults).toEqual([]);
  });
});

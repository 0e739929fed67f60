import { scriptedTeam, step } from "@massgen/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { chromiumPath, here, openWeb, type WebBench } from "./page.js";

const TEAM = {
  "ada-model": [step.answer("Use **LRU**: it is simple."), step.vote("agent2", "adapts to the load")],
  "bob-model": [
    step.answer("Use **ARC**: it adapts."),
    step.vote("agent2", "mine covers scans"),
    step.text("ARC it is.\n\n- scans\n- bursts"),
  ],
};

const open: WebBench[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
const opened = async (...given: Parameters<typeof openWeb>): Promise<WebBench> => {
  const web = await openWeb(...given);
  open.push(web);
  return web;
};

describe.skipIf(chromiumPath === null)(`the web page${here}`, { timeout: 90_000 }, () => {
  it("goes from a question to the decision and says why", async () => {
    const web = await opened(scriptedTeam(TEAM));
    const { page, requests, faults } = await web.open();
    await page.getByLabel("Question").fill("Which cache?");
    await page.getByRole("button", { name: "Ask the team" }).click();
    await page.getByRole("heading", { name: "Final answer" }).waitFor();
    const final = page.getByRole("region", { name: "Final answer" });
    expect(await final.getByRole("listitem").first().textContent()).toBe("scans");
    await final.getByText("Why this answer?").click();
    expect(await final.textContent()).toContain("adapts to the load");
    await page.getByRole("link", { name: "Votes" }).click();
    await page.getByRole("table", { name: "Votes as they stand" }).waitFor();
    expect(await page.getByText("voted for it").count()).toBe(2);
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(web.address))).toEqual([]);
  });

  it("asks for the key of the server, and keeps it for this tab", async () => {
    const web = await opened(scriptedTeam(TEAM), { argv: ["--api-key", "let-me-in"] });
    const { page } = await web.open();
    await page.getByLabel("Key", { exact: true }).fill("another");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("alert").filter({ hasText: "does not know this key" }).waitFor();
    await page.getByLabel("Key", { exact: true }).fill("let-me-in");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByLabel("Question").waitFor();
    await page.reload();
    await page.getByLabel("Question").waitFor();
    expect(await page.evaluate("localStorage.length")).toBe(0);
  });

  it("speaks Chinese where it is asked to, and remembers", async () => {
    const web = await opened(scriptedTeam(TEAM));
    const { page } = await web.open();
    await page.getByLabel("Language").selectOption("zh");
    await page.getByRole("button", { name: "向团队提问" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "向团队提问" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("zh");
  });
});

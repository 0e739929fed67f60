import { HOSTILE } from "@massgen/browser";
import { scriptedTeam, step } from "@massgen/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, here, openWeb, type WebBench } from "./page.js";

const ALL = HOSTILE.join("\n\n");
const LISTED = HOSTILE.map((text) => `- ${text.replaceAll("\n", " ")}`).join("\n");
const QUOTED = HOSTILE.map((text) => `> ${text.replaceAll("\n", " ")}`).join("\n\n");
const TEAM = {
  "ada-model": [step.answer(ALL), step.vote("agent2", ALL)],
  "bob-model": [step.answer(LISTED), step.vote("agent2", QUOTED), step.text(`${ALL}\n\n${QUOTED}`)],
};

describe.skipIf(chromiumPath === null)(`what models write, in the web page${here}`, { timeout: 120_000 }, () => {
  let web: WebBench;
  beforeAll(async () => {
    web = await openWeb(scriptedTeam(TEAM));
  }, 60_000);
  afterAll(() => web?.close());

  it(`never runs and never asks for anything, on any tab (${HOSTILE.length} ways in answers, votes, reasons and the question)`, async () => {
    const { page, requests, faults } = await web.open();
    await page.getByLabel("Question").fill(ALL);
    await page.getByRole("button", { name: "Ask the team" }).click();
    const final = page.getByRole("region", { name: "Final answer" });
    await final.waitFor();
    await final.getByText("Why this answer?").click();
    const tabs = await page.locator("[data-tab]").evaluateAll((links) => links.map((link) => link.getAttribute("data-tab")));
    expect(tabs.length).toBeGreaterThan(4);
    for (const tab of tabs) {
      await page.locator(`[data-tab="${tab}"]`).click();
      await page.locator(`[data-tab="${tab}"][aria-current="page"]`).waitFor();
      for (const summary of await page.locator("main summary:visible").all()) await summary.click();
      expect(await page.evaluate("globalThis.wasPwned"), `tab ${tab}`).toBeUndefined();
    }
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    expect(await page.evaluate("globalThis.wasPwned")).toBeUndefined();
    expect(requests.filter((url) => !url.startsWith(`${web.address}/`))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("leaves no element of theirs: no picture, frame, form or handler, and links to http, https and mailto only", async () => {
    const { page } = await web.open("#/runs");
    await page.locator("ul.runs a").first().click();
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    const found = await page.evaluate(() => {
      const markdown = [...document.querySelectorAll(".markdown *")];
      return {
        foreign: markdown.filter(({ tagName }) =>
          /^(?:IMG|IFRAME|OBJECT|EMBED|FORM|INPUT|SCRIPT|STYLE|LINK|META|BASE|SVG|VIDEO|AUDIO)$/i.test(tagName),
        ).length,
        handlers: markdown.filter((element) => [...element.attributes].some(({ name }) => /^(?:on|style)/.test(name))).length,
        links: [...document.querySelectorAll<HTMLAnchorElement>(".markdown a")].map(({ protocol, rel }) => `${protocol} ${rel}`),
      };
    });
    expect(found).toMatchObject({ foreign: 0, handlers: 0 });
    expect([...new Set(found.links)]).toEqual(["https: noopener noreferrer nofollow"]);
  });
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { axeSource, chromiumPath, HOSTILE, launch } from "@massgen/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderPage } from "../src/index.js";
import { logRecordOf, recordsOf, SAMPLE, type Texts, tempFolder } from "./write-log.js";

const all = HOSTILE.join("\n\n");
const hostile: Texts = {
  question: all,
  ids: ["<img src=x onerror=pwned()>", '"><script>pwned()</script>', "' onfocus='pwned()' autofocus='"],
  answers: [all, HOSTILE.map((text) => `- ${text.replaceAll("\n", " ")}`).join("\n"), HOSTILE.map((text) => `> ${text}`).join("\n\n")],
  reasons: ["<script>pwned()</script>", "<svg/onload=pwned()>", all],
  final: all,
  tool: "</caption><script>pwned()</script>",
};

async function written(texts: Texts): Promise<string> {
  const folder = await tempFolder();
  const record = await logRecordOf(recordsOf(texts));
  const files = HOSTILE.map((text) => ({ path: `workspace/${text}`, bytes: 1 }));
  const path = join(folder, "page.html");
  await writeFile(path, renderPage(record, { files }));
  return path;
}

interface Seen {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly faults: readonly string[];
}

const here = chromiumPath === null ? "no Chromium on this machine (CHROMIUM_PATH names one)" : "";

describe.skipIf(chromiumPath === null)(`the page in a browser${here === "" ? "" : ` — skipped: ${here}`}`, { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  }, 60_000);
  afterAll(() => browser?.close());

  async function open(path: string, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Seen> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const requests: string[] = [];
    const faults: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("dialog", (dialog) => {
      faults.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on("page", (other) => faults.push(`opened ${other.url()}`));
    await page.addInitScript("globalThis.pwned = () => { globalThis.wasPwned = true; };");
    await page.goto(pathToFileURL(path).href);
    return { page, requests, faults };
  }

  /** Every id of a violation that is serious or critical, with the place of the first. */
  async function seriousFaults(page: Page): Promise<readonly string[]> {
    await page.evaluate(axeSource);
    return page.evaluate(`axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) =>
      violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)))`);
  }

  it.each([
    ["with its policy", false],
    ["even if nobody enforced its policy", true],
  ])("hostile texts in question, names, answers, votes, tools and file names run and load nothing, %s", async (_how, bypassCSP) => {
    const path = await written(hostile);
    const { page, requests, faults } = await open(path, { bypassCSP });
    for (const link of await page.locator("summary").all()) await link.click();
    await page.mouse.move(300, 300);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("globalThis.wasPwned === true")).toBe(false);
    expect(requests).toEqual([pathToFileURL(path).href]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["by day", { colorScheme: "light", viewport: { width: 1200, height: 900 } }],
    ["by night", { colorScheme: "dark", viewport: { width: 1200, height: 900 } }],
    ["on a phone", { colorScheme: "light", viewport: { width: 360, height: 740 } }],
  ] as const)("has nothing serious against it for people with disabilities, %s", async (_when, options) => {
    const { page } = await open(await written(SAMPLE), options);
    for (const summary of await page.locator("summary").all()) await summary.click();
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")).toBe(true);
    await page.context().close();
  });

  it("is used with the keyboard alone: first the way past the header, then links and what opens", async () => {
    const { page } = await open(await written(SAMPLE));
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the record");
    const isOpen = (): Promise<boolean> => page.evaluate("document.querySelector('details').open");
    const was = await isOpen();
    await page.locator("summary").first().focus();
    await page.keyboard.press("Enter");
    expect(await isOpen()).toBe(!was);
    await page.context().close();
  });
});

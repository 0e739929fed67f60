import { readFile } from "node:fs/promises";
import { HOSTILE } from "@massgen/browser";
import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, here, openWeb, type Seen, type WebBench } from "./page.js";

// A text file holds no zeros and no half characters; a frame that goes elsewhere shows nothing more, and stands alone.
const WRITABLE = HOSTILE.filter((text) => !/[\0\ud800]|http-equiv=refresh/.test(text));
const ELSEWHERE = `<meta http-equiv=refresh content="0;url=https://evil.example/"><script>location = "https://evil.example/by-script"</script>`;
const HTML = `<!doctype html><style>h1{color:red}</style><h1 id="title">Hello</h1><script>document.title="ran";document.getElementById("title").textContent="Scripted";try{parent.pwned()}catch{}</script>${WRITABLE.join("\n")}`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" onload="pwned()"><script>pwned()</script><image href="https://evil.example/x.png"/><rect width="20" height="20" fill="red"/></svg>`;
const PDF =
  "%PDF-1.1\n<script>pwned()</script>\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(https://evil.example/)>>>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF";
const CODE = WRITABLE.map((text) => `/* ${text} */ const x = "${text}";`).join("\n");
const NAME = "<img src=x onerror=pwned()>.md";

describe.skipIf(chromiumPath === null)(`files of a run in the web page${here}`, { timeout: 120_000 }, () => {
  let web: WebBench;
  let seen: Seen;
  beforeAll(async () => {
    let play: Respond = scriptedTeam();
    web = await openWeb((request) => play(request), { ids: ["ada"] });
    play = scriptedTeam({
      "ada-model": [
        step.tool("write_file", { path: "page.html", content: HTML }),
        step.tool("write_file", { path: "elsewhere.html", content: ELSEWHERE }),
        step.tool("write_file", { path: "picture.svg", content: SVG }),
        step.tool("write_file", { path: "paper.pdf", content: PDF }),
        step.tool("write_file", { path: "code.ts", content: CODE }),
        step.tool("write_file", { path: NAME, content: "# Notes\n\n**bold** <script>pwned()</script>" }),
        step.answer("Made."),
        step.vote("agent1", "mine"),
        step.text("Made."),
      ],
    });
    const baseUrl = /base_url: "([^"]+)"/.exec(await readFile(web.bench.path("team.yaml"), "utf8"))?.[1];
    const backend = { type: "chatcompletion", model: "ada-model", base_url: baseUrl, cwd: "workspace" };
    await web.bench.write("armed.yaml", JSON.stringify({ agents: [{ id: "ada", backend }] }));
    seen = await web.open();
    await seen.page.getByLabel("Question").fill("Make files.");
    await seen.page.getByLabel("Team").fill("massgen/path:armed.yaml");
    await seen.page.getByRole("button", { name: "Ask the team" }).click();
    await seen.page.getByRole("region", { name: "Final answer" }).waitFor();
    await seen.page.getByRole("link", { name: "Files" }).click();
    await seen.page.getByLabel("Part of a name").waitFor();
  }, 90_000);
  afterAll(() => web?.close());

  const choose = async (name: string): Promise<void> => {
    await seen.page.getByLabel("Part of a name").fill(`final/ada/workspace/${name}`);
    await seen.page.getByRole("button", { name, exact: true }).click();
  };
  const nothingHappened = async (): Promise<void> => {
    expect(await seen.page.evaluate("globalThis.wasPwned")).toBeUndefined();
    expect(
      seen.requests.filter((url) => !url.startsWith(`${web.address}/`) && !/^(?:blob|data|chrome|chrome-extension):/.test(url)),
    ).toEqual([]);
  };

  it("shows HTML in a frame that has no origin and no network; its scripts run only when asked for, and reach nothing", async () => {
    await choose("page.html");
    const frame = seen.page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "Hello" }).waitFor();
    expect(await frame.locator("#title").evaluate((element) => getComputedStyle(element).color)).toBe("rgb(255, 0, 0)");
    await nothingHappened();
    await seen.page.getByRole("button", { name: "Run its scripts" }).click();
    await frame.getByRole("heading", { name: "Scripted" }).waitFor();
    expect(await frame.locator("#title").evaluate(() => globalThis.origin)).toBe("null");
    await nothingHappened();
  });

  it("a frame that wants to go elsewhere does not get there", async () => {
    await choose("elsewhere.html");
    await seen.page.getByRole("button", { name: "Run its scripts" }).click();
    await expect.poll(() => seen.faults.filter((fault) => fault.includes("evil.example")).length).toBeGreaterThan(0);
    await nothingHappened();
  });

  it("shows a picture without running what is in it, and Markdown as elements, whatever their names are", async () => {
    await choose("picture.svg");
    await expect.poll(() => seen.page.locator(".preview img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(20);
    await choose(NAME);
    await seen.page.locator(".preview .markdown strong").waitFor();
    await nothingHappened();
    await seen.page.getByRole("button", { name: "Source" }).click();
    await seen.page.locator(".preview pre", { hasText: "**bold**" }).waitFor();
    const [download] = await Promise.all([seen.page.waitForEvent("download"), seen.page.getByRole("button", { name: "Download" }).click()]);
    expect(await readFile((await download.path()) ?? "", "utf8")).toContain("**bold**");
  });

  it("colours code without reading it as anything else", async () => {
    await choose("code.ts");
    const code = seen.page.locator(".preview pre");
    await code
      .locator("span.accent", { hasText: /^const$/ })
      .first()
      .waitFor();
    expect(await code.textContent()).toBe(CODE);
    expect(await code.locator("*:not(span, code)").count()).toBe(0);
    await nothingHappened();
  });

  it("gives a PDF to the viewer of the browser, which has no way into the page and goes nowhere", async () => {
    await choose("paper.pdf");
    await seen.page.locator(".preview iframe").waitFor();
    // Its type is said, so what looks like HTML in it is not read as such.
    await expect.poll(() => seen.requests.some((url) => url.startsWith("chrome-extension://") && url.endsWith("/index.html"))).toBe(true);
    await nothingHappened();
  });
});

import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { chromiumPath, here, openWeb, type WebBench } from "./page.js";

const open: WebBench[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function answered(text: string) {
  const respond: Respond = scriptedTeam({ "ada-model": [step.text(text)] });
  const web = await openWeb(respond, { ids: ["ada"] });
  open.push(web);
  const seen = await web.open();
  await seen.page.getByLabel("Question").fill("Draw it.");
  await seen.page.getByRole("button", { name: "Ask the team" }).click();
  return { ...seen, address: web.address, final: seen.page.getByRole("region", { name: "Final answer" }) };
}

const fenced = (lang: string, text: string): string => `\`\`\`${lang}\n${text}\n\`\`\`\n`;

describe.skipIf(chromiumPath === null)(`diagrams and code in the web page${here}`, { timeout: 90_000 }, () => {
  it("draws a Mermaid text when asked to, as a picture as high as it is, and shows its text again", async () => {
    const { page, faults, final } = await answered(`Like this:\n\n${fenced("mermaid", "graph TD; Cache-->Disk; Disk-->Tape")}`);
    await final.getByText("graph TD; Cache-->Disk").waitFor();
    await final.getByRole("button", { name: "Draw it" }).press("Enter");
    const frame = final.frameLocator("iframe.diagram");
    await frame.locator("svg").getByText("Tape").waitFor();
    await expect
      .poll(() => final.locator("iframe.diagram").evaluate((element) => (element as HTMLElement).style.height))
      .toMatch(/^\d+px$/);
    await final.getByRole("button", { name: "Draw it" }).press("Enter");
    await final.getByText("graph TD; Cache-->Disk").waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("says what is wrong with a text that is no diagram", async () => {
    const { final } = await answered(fenced("mermaid", "graph TD; A--"));
    await final.getByRole("button", { name: "Draw it" }).click();
    await final.getByRole("status").filter({ hasText: "This cannot be drawn: Parse error" }).waitFor();
  });

  it("colours code by the language of its fence", async () => {
    const { final } = await answered(fenced("python", "def get(key):  # least recent\n    return 1"));
    await final.getByText("# least recent").waitFor();
    expect(await final.locator("pre .accent").allTextContents()).toEqual(["def", "return"]);
    expect(await final.locator("pre .faint").allTextContents()).toEqual(["# least recent"]);
  });

  it("nothing of a hostile diagram runs or is asked for", async () => {
    const { page, requests, address, final } = await answered(HOSTILE.map((text) => fenced("mermaid", text)).join("\n"));
    const draw = final.getByRole("button", { name: "Draw it" });
    await expect.poll(() => draw.count()).toBe(HOSTILE.length);
    const settled = async (): Promise<number> => {
      const frames = page.frames().filter((one) => one.url().endsWith("/diagram.html"));
      const drawn = await Promise.all(frames.map((one) => one.locator("svg").count()));
      return drawn.filter((count) => count > 0).length + (await final.getByText("This cannot be drawn").count());
    };
    // One after the other, each where it is seen: a browser does not draw in frames that nobody looks at.
    for (const place of HOSTILE.keys()) {
      // By the keyboard: the page moves as the one before takes its height, and a pointer would miss.
      await draw.nth(place).press("Enter");
      await expect.poll(settled, { timeout: 60_000 }).toBe(place + 1);
    }
    for (const one of page.frames()) expect(await one.evaluate("globalThis.wasPwned === true"), one.url()).toBe(false);
    expect(requests.filter((url) => !url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:"))).toEqual([]);
    expect(page.url().startsWith(address)).toBe(true);
  });
});

const HOSTILE: readonly string[] = [
  `graph TD; A["<img src=x onerror=pwned()>"]-->B["<script>pwned()</script>"]`,
  `graph TD; A-->B; click A "javascript:pwned()"; click B href "javascript:pwned()" _self`,
  `graph TD; A-->B; click A call pwned()`,
  `%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "@import url(https://evil.example/x.css); * {background: url(https://evil.example/y)}"}}%%\ngraph TD; A["<img src='https://evil.example/z' onerror='pwned()'>"]-->B`,
  `sequenceDiagram; Alice->>Bob: <svg onload=pwned()><iframe src="https://evil.example"></iframe>`,
  `---\nconfig:\n  securityLevel: loose\n---\nflowchart LR; A@{ img: "https://evil.example/a.png", label: "x" }-->B`,
];

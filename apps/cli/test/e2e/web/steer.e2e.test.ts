import { mkdir, readFile } from "node:fs/promises";
import { type Respond, scriptedTeam, step } from "@massgen/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { chromiumPath, here, openWeb, type WebBench } from "./page.js";

const open: WebBench[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A team of one that works on files, with more in its config. */
async function armed(respond: Respond, more: (web: WebBench) => object = () => ({})): Promise<WebBench> {
  const web = await openWeb(respond, { ids: ["ada"] });
  open.push(web);
  const text = await readFile(web.bench.path("team.yaml"), "utf8");
  const baseUrl = /base_url: "([^"]+)"/.exec(text)?.[1];
  const backend = { type: "chatcompletion", model: "ada-model", base_url: baseUrl, cwd: "workspace" };
  await web.bench.write("armed.yaml", JSON.stringify({ agents: [{ id: "ada", backend }], ...more(web) }));
  return web;
}

async function ask(web: WebBench, question: string) {
  const seen = await web.open();
  await seen.page.getByLabel("Question").fill(question);
  await seen.page.getByLabel("Team").fill("massgen/path:armed.yaml");
  await seen.page.getByRole("button", { name: "Ask the team" }).click();
  return seen;
}

describe.skipIf(chromiumPath === null)(`what a person decides in the web page${here}`, { timeout: 90_000 }, () => {
  it.each([
    ["Allow once", "✓"],
    ["Deny", "✗"],
  ])("a call that wants consent waits for it: %s", async (reply, mark) => {
    const web = await armed(
      scriptedTeam({
        "ada-model": [
          step.tool("write_file", { path: "a.txt", content: "ARC" }),
          step.answer("Use ARC."),
          step.vote("agent1", "mine"),
          step.text("ARC it is."),
        ],
      }),
      () => ({ hooks: { PreToolUse: [{ handler: "./ask.mjs", matcher: "write_file" }] } }),
    );
    await web.bench.write("ask.mjs", `export default () => ({ decision: "ask", reason: "it writes" });\n`);
    const { page, faults } = await ask(web, "Which cache?");
    const consent = page.getByRole("heading", { name: "ada asks for your consent" });
    await consent.waitFor();
    expect(await page.locator(".consent").textContent()).toMatch(/it writes[\s\S]*left, then it is denied/);
    await page.getByRole("button", { name: reply }).click();
    await consent.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    expect(await page.locator(".stream details.tool").first().textContent()).toContain(mark);
    expect(faults).toEqual([]);
  });

  it("what is said while the run goes on reaches the agent, and the page says so", async () => {
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const asked: string[] = [];
    const script = scriptedTeam({ "ada-model": [step.tool("list_directory", { path: "." }), step.text("ARC it is.")] });
    const web = await armed(async (request) => {
      asked.push(JSON.stringify(request.messages));
      if (asked.length === 1) await gate;
      return script(request);
    });
    const { page } = await ask(web, "Which cache?");
    await page.getByLabel("Say something to the agents while they work").fill("It has 512 MB.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("They hear it at their next step.").waitFor();
    letGo();
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    expect(asked.at(-1)).toContain("It has 512 MB.");
    expect(await page.getByLabel("Say something to the agents while they work").count()).toBe(0);
  });

  it("changes of the user's files are shown with their diff, and only what is taken is brought there", async () => {
    let play: Respond = scriptedTeam();
    const web = await armed(
      (request) => play(request),
      () => ({ orchestrator: { context_paths: [{ path: "project", permission: "write" }] } }),
    );
    const project = (name: string): string => web.bench.path("project", name);
    await mkdir(project(""));
    await web.bench.write("project/cache.txt", "LRU\n");
    play = scriptedTeam({
      "ada-model": [
        step.tool("read_file", { path: project("cache.txt") }),
        step.tool("write_file", { path: project("cache.txt"), content: "ARC\n" }),
        step.tool("write_file", { path: project("notes.txt"), content: "why\n" }),
        step.text("ARC it is."),
      ],
    });
    const { page, faults } = await ask(web, "Change the policy.");
    await page.getByRole("link", { name: "Look at them" }).click();
    await page.getByText("changed 2 of your files").waitFor();
    await page.getByText("cache.txt", { exact: true }).click();
    await page.getByText("+ARC").waitFor();
    await page.getByLabel("Apply notes.txt").uncheck();
    await page.getByRole("button", { name: "Apply 1" }).click();
    await page.getByText("rejected", { exact: true }).waitFor();
    expect(await readFile(project("cache.txt"), "utf8")).toBe("ARC\n");
    await expect(readFile(project("notes.txt"))).rejects.toThrow("ENOENT");
    expect(faults).toEqual([]);
  });

  it("stops a run only after asking once more", async () => {
    const web = await armed(() => new Promise(() => {}));
    const { page } = await ask(web, "Which cache?");
    await page.getByRole("button", { name: "Stop the run" }).click();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("button", { name: "Stop the run" }).click();
    await page.getByRole("button", { name: "Really stop it" }).click();
    await page.getByText("· cancelled").first().waitFor();
  });
});

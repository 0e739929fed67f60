import { mkdir, readFile } from "node:fs/promises";
import { createClient } from "@massgen/client";
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

const write = (path: string) => step.tool("write_file", { path, content: "ARC" });

/** The team of one, of whose writes a person is asked. */
async function asking(steps: readonly Step[]): Promise<WebBench> {
  const web = await armed(scriptedTeam({ "ada-model": [...steps] }), () => ({
    hooks: { PreToolUse: [{ handler: "./ask.mjs", matcher: "write_file" }] },
  }));
  await web.bench.write("ask.mjs", `export default () => ({ decision: "ask", reason: "it writes" });\n`);
  return web;
}

type InProject = (name: string) => string;
type Step = ReturnType<typeof write>;

const changed = (project: InProject): readonly Step[] => [
  step.tool("read_file", { path: project("cache.txt") }),
  step.tool("write_file", { path: project("cache.txt"), content: "ARC\n" }),
];

/** The team of one at work on a folder of the user's that holds `cache.txt`. */
async function changing(steps: (project: InProject) => readonly Step[]): Promise<{ readonly web: WebBench; readonly project: InProject }> {
  let play: Respond = scriptedTeam();
  const web = await armed(
    (request) => play(request),
    () => ({ orchestrator: { context_paths: [{ path: "project", permission: "write" }] } }),
  );
  const project: InProject = (name) => web.bench.path("project", name);
  await mkdir(project(""));
  await web.bench.write("project/cache.txt", "LRU\n");
  play = scriptedTeam({ "ada-model": [...steps(project)] });
  return { web, project };
}

describe.skipIf(chromiumPath === null)(`what a person decides in the web page${here}`, { timeout: 90_000 }, () => {
  it.each([
    ["Allow once", "✓"],
    ["Deny", "✗"],
  ])("a call that wants consent waits for it: %s", async (reply, mark) => {
    const web = await asking([write("a.txt"), step.answer("Use ARC."), step.vote("agent1", "mine"), step.text("ARC it is.")]);
    const { page, faults } = await ask(web, "Which cache?");
    const consent = page.getByRole("heading", { name: "ada asks for your consent" });
    await consent.waitFor();
    expect(await page.locator(".consent").textContent()).toMatch(/it writes[\s\S]*left, then it is denied/);
    // By the keyboard alone, which stays there when the card is gone.
    await page.getByRole("button", { name: reply }).press("Enter");
    await consent.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("What you are asked");
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    expect(await page.locator(".stream details.tool").first().textContent()).toContain(mark);
    expect(faults).toEqual([]);
  });

  it("what is allowed for the run is not asked about again", async () => {
    const web = await asking([write("a.txt"), write("b.txt"), step.text("ARC it is.")]);
    const { page } = await ask(web, "Which cache?");
    await page.getByRole("button", { name: "Allow for this run" }).click();
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    expect(await page.locator(".stream details.tool").allTextContents()).toEqual([
      expect.stringMatching(/✓.*write_file|write_file.*✓/s),
      expect.stringMatching(/✓.*write_file|write_file.*✓/s),
    ]);
  });

  it("what somebody else answers goes from the page, and the keyboard is not lost with it", async () => {
    const web = await asking([write("a.txt"), step.text("ARC it is.")]);
    const { page } = await ask(web, "Which cache?");
    const deny = page.getByRole("button", { name: "Deny" });
    await deny.focus();
    const elsewhere = createClient({ baseUrl: web.address });
    const { id } = (await elsewhere.listRuns()).runs[0]!;
    for await (const event of elsewhere.watch(id)) {
      if (event.type !== "request_opened") continue;
      expect(await elsewhere.answerRequest(id, event.request.id, "deny")).toEqual({ took: true });
      break;
    }
    await deny.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("What you are asked");
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
    const { web, project } = await changing((project) => [
      ...changed(project),
      step.tool("write_file", { path: project("notes.txt"), content: "why\n" }),
      step.text("ARC it is."),
    ]);
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

  it("what is said to one agent reaches it and nobody else", async () => {
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const heard = new Map<string, string>();
    const script = scriptedTeam({
      "ada-model": [step.answer("Use LRU."), step.vote("agent1", "mine"), step.text("LRU it is.")],
      "bob-model": [step.answer("Use ARC."), step.vote("agent1", "simpler")],
    });
    const web = await openWeb(
      async (request) => {
        heard.set(request.model, (heard.get(request.model) ?? "") + JSON.stringify(request.messages));
        await gate;
        return script(request);
      },
      { ids: ["ada", "bob"] },
    );
    open.push(web);
    const { page } = await web.open();
    await page.getByLabel("Question").fill("Which cache?");
    await page.getByRole("button", { name: "Ask the team" }).click();
    await page.getByLabel("Say something to the agents while they work").fill("Mind the bursts.");
    await page.getByLabel("To whom").selectOption("bob");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("They hear it at their next step.").waitFor();
    letGo();
    await page.getByRole("region", { name: "Final answer" }).waitFor();
    expect(heard.get("bob-model")).toContain("Mind the bursts.");
    expect(heard.get("ada-model")).not.toContain("Mind the bursts.");
  });

  it("a review says what may not be applied, what was changed meanwhile, and that somebody else decided", async () => {
    const { web, project } = await changing((project) => {
      const run = [...changed(project), step.text("ARC it is.")];
      return [...run, ...run];
    });
    const first = await ask(web, "Change the policy.");
    await first.page.getByRole("link", { name: "Look at them" }).click();
    await web.bench.write("project/cache.txt", "CLOCK, by hand\n");
    await first.page.getByRole("button", { name: "Apply 1" }).click();
    await first.page.getByText("not applied: its place was changed meanwhile").waitFor();
    expect(await readFile(project("cache.txt"), "utf8")).toBe("CLOCK, by hand\n");

    const { page } = await ask(web, "Change it once more.");
    await page.getByText("Changes of your files wait for your decision.").waitFor();
    const elsewhere = createClient({ baseUrl: web.address });
    const { id } = (await elsewhere.listRuns()).runs[0]!;
    await page.getByRole("link", { name: "Look at them" }).click();
    await page.getByRole("button", { name: "Reject all" }).waitFor();
    expect(await elsewhere.decideReview(id, { accept: "none" })).toEqual({ took: true });
    await page.getByText("rejected", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Reject all" }).count()).toBe(0);
    expect(await readFile(project("cache.txt"), "utf8")).toBe("CLOCK, by hand\n");
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

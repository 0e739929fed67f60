import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chromiumPath, launch } from "@massgen/browser";
import type { SimulatorOptions } from "@massgen/simulator";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Bench, openBench, teamYaml } from "../program.js";

export { chromiumPath } from "@massgen/browser";

/** Said in the name of a suite that needs a browser. */
export const here: string = chromiumPath === null ? " — skipped: no Chromium on this machine (CHROMIUM_PATH names one)" : "";

/** A page with what left it and what went wrong in it. */
export interface Seen {
  readonly page: Page;
  /** Addresses that were asked for; what the page's policy held back before it left is not among them. */
  readonly requests: readonly string[];
  /** Messages of the console, errors nobody caught, dialogs, windows that were opened. */
  readonly faults: readonly string[];
}

/** `massgen serve --web` with a simulated team, and a browser to look at it. */
export interface WebBench {
  readonly bench: Bench;
  readonly address: string;
  /** What models were asked so far. */
  readonly asked: () => string;
  /** Ends the server at once, as a machine that goes down does, and starts it again at the same address. */
  readonly restart: () => Promise<void>;
  readonly open: (place?: string, options?: BrowserContextOptions) => Promise<Seen>;
  readonly close: () => Promise<void>;
}

interface Options {
  readonly ids?: readonly string[];
  readonly argv?: readonly string[];
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `null`: the server has no team; what `team.yaml` would hold lies in `simulated.txt`. */
  readonly team?: null;
}

export async function openWeb(
  respond: SimulatorOptions["respond"],
  { ids = ["ada", "bob"], argv = [], config = "", env = {}, team }: Options = {},
): Promise<WebBench> {
  const bench = await openBench();
  const simulator = await bench.simulate({ respond });
  await bench.write(team === null ? "simulated.txt" : "team.yaml", teamYaml(simulator, team === null ? ["ada"] : ids, config));
  const named = team === null ? [] : ["--config", "team.yaml"];
  const started = await startWeb(bench, ["--port", "0", ...named, ...argv], env);
  let { child } = started;
  const { address } = started;
  let browser: Browser | null = null;
  return {
    bench,
    address,
    asked: () => simulator.requests.map(({ canonicalText }) => canonicalText).join("\n"),
    async restart() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      ({ child } = await startWeb(bench, ["--port", new URL(address).port, ...named, ...argv], env));
    },
    async open(place = "", options = {}) {
      browser ??= await launch();
      return look(browser, `${address}/${place}`, options);
    },
    async close() {
      await browser?.close();
      await bench.close();
    },
  };
}

interface StartedWeb {
  readonly address: string;
  readonly child: ChildProcess;
}

/** Resolves with the address once the server listens. */
function startWeb(bench: Bench, argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<StartedWeb> {
  const { child, ended } = bench.massgen(["serve", "--web", ...argv], { env });
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (text: string) => {
      said += text;
      const found = /^massgen server listening on (http:\S+)$/m.exec(said)?.[1];
      if (found !== undefined) resolve({ address: found, child });
    });
    void ended.then(({ code, err }) => reject(new Error(`it ended with ${code}: ${err}`)));
  });
}

/** A page of its own in the browser. */
export async function look(browser: Browser, url: string, options: BrowserContextOptions): Promise<Seen> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  const faults: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("requestfailed", (request) => {
    if (HELD_BACK.has(request.failure()?.errorText ?? "")) requests.splice(requests.indexOf(request.url()), 1);
  });
  page.on("console", (message) => faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("page", (other) => faults.push(`opened ${other.url()}`));
  await page.addInitScript("globalThis.pwned = () => { globalThis.wasPwned = true; };");
  await page.goto(url);
  return { page, requests, faults };
}

/** Why Chromium never sends a request: the policy of the page, or that it is for another origin. */
const HELD_BACK: ReadonlySet<string> = new Set(["csp", "origin"]);

import { existsSync } from "node:fs";
import axe from "axe-core";
import { type Browser, chromium } from "playwright-core";

const CANDIDATES = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The Chromium of this machine; `null` where there is none: nothing is ever downloaded for a test. */
export const chromiumPath: string | null = CANDIDATES.find((path) => path !== undefined && path !== "" && existsSync(path)) ?? null;

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath!,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

/** The source of axe, to be evaluated in a page whose policy lets it load nothing. */
export const axeSource: string = axe.source;

import { chromiumPath, launch } from "@massgen/browser";
import type { Browser, CDPSession, Page } from "playwright-core";

export const noBrowser: string | null = chromiumPath === null ? "no Chromium on this machine (CHROMIUM_PATH names one)" : null;

export async function inChromium<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launch();
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Milliseconds from navigation until `expression` is true in the page and a frame with it has been drawn. */
export async function msUntil(browser: Browser, url: string, expression: string): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  try {
    await page.goto(url);
    return await page.evaluate<number>(`new Promise((resolve) => {
      const look = () => (${expression}) ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))) : requestAnimationFrame(look);
      look();
    })`);
  } finally {
    await page.close();
  }
}

export interface Probe {
  readonly page: Page;
  readonly devtools: CDPSession;
}

export async function openProbe(browser: Browser, url: string): Promise<Probe> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  await page.addInitScript(
    "globalThis.longest = 0; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration); }).observe({ type: 'longtask' });",
  );
  await page.goto(url);
  return { page, devtools };
}

/** Seconds that the main thread of the page has worked. */
export async function taskSeconds({ devtools }: Probe): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
}

/** Bytes that the page holds once what nobody needs is gone. */
export async function heapBytes({ devtools }: Probe): Promise<number> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return usedSize;
}

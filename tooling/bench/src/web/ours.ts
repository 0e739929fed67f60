import { existsSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import type { Benchmark, BenchmarkOptions } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { counted, type Metric, timed } from "../harness/metric.js";
import { heapBytes, inChromium, msUntil, noBrowser, openProbe, taskSeconds } from "./in-chromium.js";
import { asEventStream, servePage } from "./served-page.js";
import { agentIds, beginning, finishedRun, numbered, tokenAt } from "./watched-run.js";

const END = "event: end\ndata: {}\n\n";
const RUN = "#/runs/bench";

export const web: Benchmark = {
  name: "web",
  kind: "timed",
  async run(options) {
    const page = fileURLToPath(new URL("../../../../apps/web/page/index.html", import.meta.url));
    if (noBrowser !== null) return [{ bench: "web", skipped: noBrowser }];
    if (!existsSync(page)) return [{ bench: "web", skipped: "the page is not built: pnpm build" }];
    return inChromium(async (browser) => [
      ...(options.wants("web.fold") ? [await timeFold(browser, options)] : []),
      ...(options.wants("web.stream") ? await timeStream(browser, options) : []),
      ...(options.wants("web.memory") ? [await weighMemory(browser, options)] : []),
    ]);
  },
};

/** A finished run is opened: until it is drawn, over reading and folding the same events in the same browser. */
async function timeFold(browser: Browser, { quick, pairs }: BenchmarkOptions): Promise<Metric> {
  const facts = quick ? 1_000 : 10_000;
  const body = finishedRun(facts).map(asEventStream).join("") + END;
  const served = await servePage((response) => void response.end(body));
  try {
    const taken = await measurePairs(
      () => msUntil(browser, `${served.url}/${RUN}`, "document.querySelector('header.run progress')?.value === 100"),
      () => msUntil(browser, `${served.url}/fold.html`, "globalThis.doneMs !== undefined"),
      pairs,
    );
    const name = { bench: "web.fold", variant: `${facts.toLocaleString("en")} facts`, metric: "until drawn", unit: "ms" };
    return timed(
      name,
      comparePairs(taken, (ms) => ms),
      { must: 3, aim: 1.5 },
    );
  } finally {
    await served.close();
  }
}

const STREAMING = 5;
const TOKENS_PER_SECOND = 100;
/** How often the tokens that are due are sent. */
const TICK_MS = 10;

/** Five agents write at 100 tokens a second: how long the page's main thread works in each second, and its longest task. */
async function timeStream(browser: Browser, { quick }: BenchmarkOptions): Promise<readonly Metric[]> {
  const timers = new Set<ReturnType<typeof setInterval>>();
  const served = await servePage((response) => void timers.add(writeTokens(response)));
  try {
    const probe = await openProbe(browser, `${served.url}/${RUN}`);
    await probe.page.getByText("A section").first().waitFor();
    const from = { task: await taskSeconds(probe), at: performance.now() };
    await probe.page.evaluate("longest = 0");
    await new Promise((resolve) => setTimeout(resolve, quick ? 1_000 : 15_000));
    const seconds = (performance.now() - from.at) / 1_000;
    const ms = ((await taskSeconds(probe)) - from.task) * 1_000;
    const longest = await probe.page.evaluate<number>("longest");
    await probe.page.close();
    const variant = `${STREAMING} agents, ${TOKENS_PER_SECOND} tokens/s each`;
    return [
      counted({ bench: "web.stream", variant, metric: "main thread a second", unit: "ms" }, { ours: ms / seconds }, { must: 150, aim: 50 }),
      counted({ bench: "web.stream", variant, metric: "longest task", unit: "ms" }, { ours: longest }, { aim: 50 }),
    ];
  } finally {
    for (const timer of timers) clearInterval(timer);
    await served.close();
  }
}

function writeTokens(response: ServerResponse): ReturnType<typeof setInterval> {
  const agents = agentIds(STREAMING);
  for (const record of beginning(agents).map(numbered())) response.write(asEventStream(record));
  const startedMs = performance.now();
  let sent = 0;
  return setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * TOKENS_PER_SECOND);
    for (; sent < due; sent++)
      for (const agent of agents) response.write(asEventStream({ type: "content_delta", agent, channel: "work", text: tokenAt(sent) }));
  }, TICK_MS);
}

/** Ten minutes of ten agents that write 20 tokens a second and call a tool every ten seconds, as fast as the page takes them. */
async function weighMemory(browser: Browser, { quick }: BenchmarkOptions): Promise<Metric> {
  const minutes = quick ? 2 : 10;
  const writer: { response: ServerResponse | null } = { response: null };
  const served = await servePage((response) => {
    writer.response = response;
  });
  try {
    const probe = await openProbe(browser, `${served.url}/${RUN}`);
    while (writer.response === null) await new Promise((resolve) => setTimeout(resolve, 10));
    const { response } = writer;
    const number = numbered();
    const agents = agentIds(10);
    for (const record of beginning(agents).map(number)) response.write(asEventStream(record));
    const sizes: number[] = [];
    for (let minute = 1; minute <= minutes; minute++) {
      for (let second = 0; second < 60; second++) response.write(secondOf(agents, number, minute * 60 + second));
      const mark = `end of minute ${minute}`;
      response.write(asEventStream({ type: "content_delta", agent: agents[0]!, channel: "work", text: `\n\n${mark}\n\n` }));
      await probe.page.getByText(mark, { exact: true }).waitFor({ timeout: 120_000 });
      sizes.push(await heapBytes(probe));
    }
    await probe.page.close();
    const settled = sizes[Math.floor(sizes.length / 2) - 1]!;
    return counted(
      { bench: "web.memory", variant: `${minutes} minutes of 10 agents`, metric: "heap, end over half", unit: "MB" },
      { ours: sizes.at(-1)! / 1e6, floor: settled / 1e6 },
      { must: 1.2, aim: 1.05 },
    );
  } finally {
    await served.close();
  }
}

function secondOf(agents: readonly string[], number: ReturnType<typeof numbered>, second: number): string {
  const written = agents.flatMap((agent) =>
    Array.from({ length: 20 }, (_, place) =>
      asEventStream({ type: "content_delta", agent, channel: "work", text: tokenAt(second * 20 + place) }),
    ),
  );
  if (second % 10 !== 0) return written.join("");
  const called = agents.flatMap((agent) => {
    const call = { agent, round: 0, callId: `${agent}-${second}`, name: "read_file" } as const;
    return [
      asEventStream(number({ type: "tool_start", ...call, argsPreview: '{"path":"src/limits.ts"}' })),
      asEventStream(
        number({
          type: "tool_complete",
          ...call,
          ok: true,
          durationMs: 3,
          inputChars: 40,
          outputChars: 2_000,
          resultPreview: "x".repeat(200),
        }),
      ),
    ];
  });
  return written.join("") + called.join("");
}

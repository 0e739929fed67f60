import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRateLimiter } from "@massgen/backend-kit";
import { type BackendConfig, parseRateLimits, requireConfig, validateConfig } from "@massgen/config";
import { expect, it, vi } from "vitest";
import { openLimiters } from "../src/backends/limiters.js";
import { openRateState } from "../src/backends/rate-state.js";

const settings = { stateFile: null, table: parseRateLimits("openai: {default: {rpm: 3}}", "f.yaml") };
const backend = (model: string, on: boolean, type = "openai"): BackendConfig =>
  requireConfig(validateConfig({ agents: [{ id: "a", backend: { type, model, enable_rate_limit: on } }] })).agents[0]!.backend;

it("agents of one provider and model share a limiter, in all runs of the process", async () => {
  const first = await openLimiters(settings)(backend("one", true));
  expect(first).toMatchObject({ limits: { rpm: 3 } });
  expect(await openLimiters(settings)(backend("one", true))).toBe(first);
  expect(await openLimiters(settings)(backend("two", true))).not.toBe(first);
});

it("nobody is limited who did not ask, or whose provider has no limits", async () => {
  expect(await openLimiters(settings)(backend("one", false))).toBeNull();
  expect(await openLimiters(settings)(backend("one", true, "groq"))).toBeNull();
});

it("a day is counted over processes: what one wrote down, the next knows, whatever else stands in the file", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "rate-state-")), ".massgen", "rate_state.json");
  const now = Date.now();
  const [one, two] = [await openRateState(file, "openai/m"), await openRateState(file, "openai/m")];
  // The old one first: when all ten are there, nothing more is written.
  one.onRequest(now - 90_000_000);
  for (let index = 0; index < 10; index++) (index % 2 === 0 ? one : two).onRequest(now + index);
  await vi.waitFor(async () => expect(JSON.parse(await readFile(file, "utf8"))["openai/m"]).toHaveLength(10));
  const { earlier } = await openRateState(file, "openai/m");
  expect([...earlier].sort()).toEqual(Array.from({ length: 10 }, (_, index) => now + index));
  expect(openRateLimiter({ rpd: 3 }, { earlier })).toMatchObject({ earlier });
  await writeFile(file, "{ torn");
  expect((await openRateState(file, "openai/m")).earlier).toEqual([]);
});

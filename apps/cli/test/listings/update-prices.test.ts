import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadPrices } from "@massgen/sdk/team";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

let home = "";
let answer: { readonly status: number; readonly body: string } = { status: 200, body: "" };
const server = createServer((_request, response) => void response.writeHead(answer.status).end(answer.body));
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "massgen-prices-"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(home, { recursive: true, force: true });
});

async function update(status: number, body: string) {
  answer = { status, body };
  const fake = fakeIo({ cwd: home, env: { HOME: home } });
  const code = await runCli(
    ["--update-prices", `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.json`],
    fake.io,
    createSession(),
  );
  return { code, out: fake.out(), err: fake.err() };
}
const row = { input_cost_per_token: 0.000003, output_cost_per_token: 0.000009, mode: "chat" };

describe("massgen --update-prices", () => {
  it("keeps a public list, which then wins over the built-in prices", async () => {
    const { code, out } = await update(200, JSON.stringify({ "brand-new-1": row, "gpt-5": row }));
    expect(code).toBe(0);
    expect(out).toMatch(/^2 prices as of \d{4}-\d\d-\d\d in .*prices\.json\n$/);
    const prices = await loadPrices(home);
    expect([prices!.models["brand-new-1"], prices!.models["gpt-5"]]).toEqual([
      { input: 3, output: 9 },
      { input: 3, output: 9 },
    ]);
    expect(prices!.models["gpt-4o"]).toMatchObject({ input: 2.5, output: 10 });
  });

  it.each([
    [404, "", "answered with status 404"],
    [200, "<html>", "it is no JSON"],
    [200, '{"a":1}', "holds no prices"],
  ])("with %i %j leaves the prices as they are and says why", async (status, body, told) => {
    await update(200, JSON.stringify({ kept: row }));
    const before = await readFile(join(home, ".massgen", "prices.json"), "utf8");
    const { code, err } = await update(status, body);
    expect(code).toBe(2);
    expect(err).toContain(told);
    expect(await readFile(join(home, ".massgen", "prices.json"), "utf8")).toBe(before);
  });

  it("a damaged file stops a run before its first request, and says what to do", async () => {
    await update(200, JSON.stringify({ kept: row }));
    await writeFile(join(home, ".massgen", "prices.json"), "{ torn");
    await expect(loadPrices(home)).rejects.toMatchObject({ code: "CONFIG_INVALID", hint: expect.stringContaining("--update-prices") });
  });

  it("without a file there is nothing to load", async () => {
    expect(await loadPrices(home)).toBeNull();
  });
});

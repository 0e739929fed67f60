import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { scriptedTeam, step } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, openBench, type StartOptions, teamYaml } from "./program.js";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  const simulator = await bench.simulate({ respond: scriptedTeam({ "solo-model": [step.text("Hello.")] }) });
  await bench.write("team.yaml", teamYaml(simulator, ["solo"]));
});
afterEach(() => bench.close());

/** A server on a free port, once it says where it listens. */
async function serving(argv: readonly string[], options: StartOptions = {}) {
  const started = bench.massgen(["serve", "--config", "team.yaml", "--port", "0", ...argv], options);
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    started.child.stderr?.on("data", (text: string) => {
      said += text;
      const found = /^massgen server listening on (http:\S+)$/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void started.ended.then(({ code, err }) => reject(new Error(`it ended with ${code}: ${err}`)));
  });
  return { ...started, address };
}

const asked = async (address: string, key?: string): Promise<number> =>
  (await fetch(`${address}/v1/models`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })).status;

describe("massgen serve", { timeout: 60_000 }, () => {
  it.each(["SIGTERM", "SIGINT"] as const)("says where it listens, answers, and ends with 0 on %s", async (signal) => {
    const { address, child, ended } = await serving([]);
    const reply = await fetch(`${address}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "massgen", messages: [{ role: "user", content: "Hi?" }] }),
    });
    expect(await reply.json()).toMatchObject({ choices: [{ message: { content: "Hello." } }] });
    child.kill(signal);
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toContain("massgen: note: no key is asked for");
    expect(err).toContain("massgen server is stopping");
  });

  it("asks for a key that was made for it, of which the file keeps a hash that only its owner reads", async () => {
    const made = await bench.run(["serve", "--keys-file", "keys.txt", "--new-key", "laptop"]);
    expect(made.code).toBe(0);
    const key = made.out.trim();
    const file = await readFile(bench.path("keys.txt"), "utf8");
    expect(file).toMatch(/^laptop sha256:[0-9a-f]{64}\n$/);
    expect(file).not.toContain(key);
    expect((await stat(bench.path("keys.txt"))).mode & 0o777).toBe(0o600);
    const { address } = await serving(["--keys-file", "keys.txt"]);
    expect([await asked(address), await asked(address, "another"), await asked(address, key)]).toEqual([401, 401, 200]);
    expect((await fetch(`${address}/health`)).status).toBe(200);
  });

  it("does not start where others reach it without a key, unless told so", async () => {
    const open = await bench.run(["serve", "--config", "team.yaml", "--host", "0.0.0.0", "--port", "0"]);
    expect(open).toMatchObject({ code: 1, err: expect.stringContaining("without a key") });
    expect(open.err).toContain("--insecure");
    const { address } = await serving(["--host", "0.0.0.0", "--insecure"]);
    expect(await asked(address.replace("0.0.0.0", "127.0.0.1"))).toBe(200);
  });

  it.each([
    ["a line that is no key", "laptop\n"],
    ["no key at all", "# nothing\n"],
  ])("does not start with a key file of %s, and says how one is made", async (_what, text) => {
    await bench.write("keys.txt", text);
    const { code, err } = await bench.run(["serve", "--config", "team.yaml", "--port", "0", "--keys-file", "keys.txt"]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("keys.txt cannot be read") });
    expect(err).toContain("--new-key");
  });

  it("names a port that is in use, a config that is not good, and a variable that is no number", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const busy = await bench.run(["serve", "--config", "team.yaml", "--port", String(port)]);
    taken.close();
    expect(busy).toMatchObject({ code: 1, err: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`) });
    await bench.write("bad.yaml", "agents: 3\n");
    expect(await bench.run(["serve", "--config", "bad.yaml", "--port", "0"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("agents"),
    });
    const env = { MASSGEN_SERVER_PORT: "many" };
    expect(await bench.run(["serve", "--config", "team.yaml"], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('MASSGEN_SERVER_PORT is "many"'),
    });
  });

  it("opens keys and teams to its page on this machine or behind a key, and not where it was told to be insecure", async () => {
    const setup = async (address: string, key?: string): Promise<number> =>
      (await fetch(`${address}/api/setup`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await setup((await serving(["--web"])).address)).toBe(200);
    expect(await setup((await serving([])).address)).toBe(404);
    expect(await setup((await serving(["--web", "--insecure"])).address)).toBe(404);
    expect(await setup((await serving(["--web", "--api-key", "let-me-in"])).address, "let-me-in")).toBe(200);
  });
});

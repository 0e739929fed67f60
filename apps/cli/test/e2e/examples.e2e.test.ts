import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { examplePaths } from "@massgen/config/node";
import { findSandbox } from "@massgen/exec";
import { afterAll, describe, expect, it } from "vitest";
import { readRequest } from "../../src/args/read-request.js";
import { runDry } from "../../src/commands/dry-run.js";
import { createSession } from "../../src/session.js";
import { fakeIo } from "../fake-io.js";

const examplesDir = fileURLToPath(new URL("../../../../configs", import.meta.url));
const paths = await examplePaths(examplesDir);
const folder = await mkdtemp(join(tmpdir(), "massgen-examples-"));
afterAll(() => rm(folder, { recursive: true }));
// What examples say is beside the user.
await mkdir(join(folder, "project"));

// A server that is fetched comes from here, and a remote one is out of reach.
const bin = join(folder, "bin");
await mkdir(bin);
const server = fileURLToPath(new URL("../../../../packages/mcp/test/fixtures/fake-mcp.mjs", import.meta.url));
const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} }, text: "seen" }];
await writeFile(join(bin, "behaviour.json"), JSON.stringify({ name: "stand-in", tools }));
await writeFile(join(bin, "npx"), `#!/bin/sh\nexec "${process.execPath}" "${server}" "${join(bin, "behaviour.json")}"\n`, { mode: 0o755 });
// No container daemon answers, on any machine.
for (const tool of ["docker", "podman"]) await writeFile(join(bin, tool), "#!/bin/sh\necho 'no daemon' >&2\nexit 1\n", { mode: 0o755 });
const env = { MASSGEN_EXAMPLES_DIR: examplesDir, PATH: `${bin}:${process.env["PATH"] ?? ""}`, HTTPS_PROXY: "http://127.0.0.1:9" };

const sandbox = await findSandbox({ platform: process.platform, path: process.env["PATH"] ?? "", hostHome: folder });
const hasSandbox = sandbox.found;

interface Report {
  readonly calls: number;
  readonly forecast: { readonly total: { readonly calls: { readonly low: number; readonly high: number } } };
}

/** All in this process, models that write at once: a dry run takes some hundredths of a second. */
describe("every example of ours, as a user would try it", { timeout: 30_000 }, () => {
  it("and there are many", () => expect(paths.length).toBeGreaterThanOrEqual(60));

  it.concurrent.each(paths)("%s runs to its end without a key, and no vendor would refuse a request of it", async (path) => {
    const text = await readFile(join(examplesDir, path), "utf8");
    if (/sandbox: require/.test(text) && !hasSandbox) return;
    const fake = fakeIo({ cwd: folder, env });
    const { request } = readRequest(["--dry-run", "--json", "--no-logs", "--config", `@examples/${path}`], fake.io);
    if (request.kind !== "dry-run") throw new Error(request.kind);
    const running = runDry(request, fake.io, createSession(), 0);
    if (/execution_mode: docker/.test(text)) return expect(running).rejects.toThrow(/container/);
    const code = await running;
    expect({ code, refused: fake.err().match(/would refuse.*/g) }).toEqual({ code: 0, refused: null });
    const { calls, forecast } = JSON.parse(fake.out()) as Report;
    expect(calls).toBeGreaterThanOrEqual(forecast.total.calls.low);
    expect(calls).toBeLessThanOrEqual(forecast.total.calls.high);
  });
});

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultLimits } from "../process/gate.js";
import { runProcess } from "../process/start-process.js";
import type { Sandbox } from "./sandbox.js";

export type SelfTest = { readonly holds: true } | { readonly holds: false; readonly why: string };

/** Attempts a sandbox must stop, and the one thing it must allow. What succeeds says its name. */
const ATTEMPTS = `
echo inside > ./inside && echo may-write-inside
{ echo x > "$CANARIES/written" && echo wrote-outside; } 2>/dev/null
{ cat "$CANARIES/secret" && echo read-outside; } 2>/dev/null
[ -x /bin/bash ] && /bin/bash -c 'exec 3<>/dev/tcp/127.0.0.1/$PORT && echo reached-the-network' 2>/dev/null
echo done`;

/**
 * Tries a sandbox out before it is trusted: a write outside, a secret outside and a listener on this machine must be out of
 * reach. `build` makes the driver for a private home. Takes a few tens of milliseconds.
 */
export async function testSandbox(build: (home: string) => Sandbox): Promise<SelfTest> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "massgen-sandbox-")));
  const listener = createServer((socket) => socket.destroy());
  try {
    const [workspace, home, canaries] = [join(folder, "workspace"), join(folder, "home"), join(folder, "canaries")];
    for (const path of [workspace, home, canaries]) await mkdir(path, { mode: 0o700 });
    await writeFile(join(canaries, "secret"), "canary\n");
    await new Promise<void>((resolve, reject) => {
      listener.once("error", reject);
      listener.listen(0, "127.0.0.1", resolve);
    });
    const port = (listener.address() as AddressInfo).port;
    const sandbox = build(home);
    const prepared = await sandbox.prepare(
      {
        argv: ["/bin/sh", "-c", ATTEMPTS],
        cwd: workspace,
        env: { PATH: "/usr/local/bin:/usr/bin:/bin", CANARIES: canaries, PORT: String(port), HOME: home },
        limits: defaultLimits,
      },
      { writable: [workspace, home], readable: [], protected: [], hidden: [], network: "none" },
    );
    const result = await runProcess({ ...prepared, timeoutMs: 10_000 });
    const said = result.stdout.head.split("\n");
    const escaped = ["wrote-outside", "read-outside", "reached-the-network"].filter((name) => said.includes(name));
    if (escaped.length > 0) return { holds: false, why: `a command in it ${escaped.join(" and ")}`.replaceAll("-", " ") };
    if ((await readdir(canaries)).length !== 1) return { holds: false, why: "a command in it wrote outside" };
    if (!said.includes("done") || !said.includes("may-write-inside") || !existsSync(join(workspace, "inside")))
      return { holds: false, why: result.stderr.head.trim() || `it ended with exit code ${result.exitCode}` };
    return { holds: true };
  } catch (error) {
    return { holds: false, why: error instanceof Error ? error.message : String(error) };
  } finally {
    listener.close();
    await rm(folder, { recursive: true, force: true });
  }
}

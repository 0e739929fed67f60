import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { exec, sourceHost } from "../source-host.js";
import { isAlive, until } from "../until.js";

/** A program that starts a command in an own session, one in the group, and tells their pids. */
const HOST = `
import { startProcess } from "@massgen/exec";
const tell = (stream, chunk) => process.stdout.write(chunk);
await startProcess({
  argv: ["/bin/bash", "-c", "trap '' TERM; echo pid $$; sleep 300 & echo pid $!; setsid sleep 301 & echo pid $!; echo ready; wait"],
  cwd: "/", env: { PATH: process.env.PATH }, timeoutMs: null, onChunk: tell,
});
`;

describe.skipIf(process.platform !== "linux")("a host that dies", () => {
  it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
    "%s to it leaves no child behind",
    async (signal) => {
      const host = spawn(process.execPath, [...sourceHost, HOST], { cwd: exec, stdio: ["ignore", "pipe", "inherit"] });
      const pids: number[] = [];
      for await (const line of createInterface({ input: host.stdout })) {
        if (line === "ready") break;
        pids.push(Number(line.replace("pid ", "")));
      }
      expect(pids.map(isAlive)).toEqual([true, true, true]);
      const exited = once(host, "exit");
      host.kill(signal);
      await exited;
      await until(() => !pids.some(isAlive));
    },
    30_000,
  );
});

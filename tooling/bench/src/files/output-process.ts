import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createCommandRunner, createExecuteCommand, createJobQuota, createJobTable, createUnsandboxed } from "@massgen/exec";

// A process of its own, so that its memory is that of one command's output.
const [folder = "", bytes = "0"] = process.argv.slice(2);
const [workspace, home] = [join(folder, "workspace"), join(folder, "home")];
for (const path of [workspace, home]) mkdirSync(path, { recursive: true });
const runner = createCommandRunner({
  sandbox: createUnsandboxed(),
  workspace,
  home,
  network: "none",
  grants: () => ({ writable: [], readable: [], protected: [], hidden: [] }),
  environment: { host: process.env, hostHome: folder, runId: "bench", portBase: null, extra: {}, passthrough: [], autoVenv: false },
});
const jobs = createJobTable({ runner, quota: createJobQuota(), perAgent: 1 });
const tool = createExecuteCommand({ runner, jobs, spillFolder: join(workspace, ".tool_results") });
const context = { agent: "ada", callId: "1", channel: "work", signal: new AbortController().signal, progress: () => {} };
const { parts, isError } = await tool.run(
  { command: `yes 'a line of some forty characters, as most are' | head -c ${bytes}` },
  // A command looks at no clock and calls nobody.
  context as unknown as Parameters<typeof tool.run>[1],
);
if (isError) throw new Error(JSON.stringify(parts));

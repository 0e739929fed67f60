import { dirname } from "node:path";
import type { Benchmark } from "../harness/benchmark.js";
import { counted, type Result } from "../harness/metric.js";
import { findBuiltCli } from "../start/built-cli.js";
import { firstPaint } from "./first-paint.js";
import { namedDependencies } from "./floor.js";
import { findLoadedModules } from "./loaded-modules.js";
import { measureInstall } from "./production-install.js";

export const size: Benchmark = {
  name: "size",
  kind: "counted",
  async run(): Promise<readonly Result[]> {
    const cli = findBuiltCli();
    if ("missing" in cli) return [{ bench: "size", skipped: cli.missing }];
    const install = measureInstall(dirname(dirname(cli.path)));
    const front = await findLoadedModules({ args: [cli.path, "--version"] });
    const named = { must: 1.25, aim: 1.1 };
    return [
      counted(
        { bench: "size.install", metric: "packages", unit: "" },
        { ours: install.packages, floor: namedDependencies.packages },
        named,
      ),
      counted(
        { bench: "size.install", metric: "files", unit: "MB" },
        { ours: install.bytes / 1e6, floor: namedDependencies.megabytes },
        named,
      ),
      counted({ bench: "size.front", metric: "loaded", unit: "kB" }, { ours: front.bytes / 1000 }, { must: 40, aim: 15 }),
      counted(
        { bench: "size.front", metric: "foreign modules", unit: "" },
        { ours: front.files.filter((file) => file.includes("node_modules")).length },
        { must: 0, aim: 0 },
      ),
      ...firstPaint(),
    ];
  },
};

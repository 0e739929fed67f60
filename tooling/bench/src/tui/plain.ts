import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "@massgen/simulator";
import { writeProse } from "../fake-vendor/prose.js";
import type { Benchmark } from "../harness/benchmark.js";
import { comparePairs, measurePairs } from "../harness/measure-pairs.js";
import { type Metric, timed } from "../harness/metric.js";
import { type Command, costOfNode, runNode } from "../harness/run-process.js";
import { findBuiltCli } from "../start/built-cli.js";
import { bareNode } from "../start/floor.js";

const AGENTS = 5;
const QUESTION = "Which cache policy fits a read-heavy service?";
const DISPLAYS = [
  ["plain", "--no-display"],
  ["automation", "--automation"],
] as const;

export const plain: Benchmark = {
  name: "plain",
  kind: "timed",
  async run({ pairs, quick }) {
    const cli = findBuiltCli();
    if ("missing" in cli) return [{ bench: "plain.cpu", skipped: cli.missing }];
    const folder = mkdtempSync(join(tmpdir(), "massgen-bench-plain-"));
    const vendor = await openVendor(quick ? 50 : 2_000);
    try {
      const team = (name: string, more: string): string => {
        writeFileSync(join(folder, name), teamYaml(vendor.baseUrl("chat_completions"), more));
        return name;
      };
      const asked = (config: string, ...flags: readonly string[]): Command => ({
        args: [cli.path, "--config", config, ...flags, QUESTION],
        cwd: folder,
      });
      const silent = asked(team("silent.yaml", "ui: { display_type: silent }\n"));
      const results: Metric[] = [];
      for (const [name, flag] of DISPLAYS) {
        const shown = asked(team("team.yaml", ""), flag);
        const script = join(folder, `${name}.mjs`);
        writeFileSync(script, `process.stdout.write(${JSON.stringify((await runNode(shown)).stdout)});\n`);
        const taken = await measurePairs(
          async () => (await costOfNode(shown)).cpuMs,
          async () =>
            (await costOfNode(silent)).cpuMs +
            (await costOfNode({ args: [script], cwd: folder })).cpuMs -
            (await costOfNode(bareNode)).cpuMs,
          pairs,
        );
        const figure = { bench: "plain.cpu", variant: `${name}, ${AGENTS} agents`, metric: "CPU", unit: "ms" };
        results.push(
          timed(
            figure,
            comparePairs(taken, (ms) => ms),
            { must: 1.5, aim: 1.1 },
          ),
        );
      }
      return results;
    } finally {
      await vendor.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  },
};

/** A vendor that answers a team by the rules, at once: an answer, a vote, a presentation. */
const openVendor = (tokens: number): Promise<Simulator> =>
  startSimulator({
    respond: ({ tools, toolChoice, messages }) => {
      if (!tools.includes("vote") || toolChoice === "none") return { kind: "message", text: writeProse(tokens, "final") };
      const last = messages.map((message) => message.text).join("\n");
      const call = last.includes("<answer from=")
        ? { name: "vote", input: { agent_id: "agent1", reason: "Right." } }
        : { name: "new_answer", input: { content: writeProse(tokens, "answer") } };
      return { kind: "message", toolCalls: [call] };
    },
  });

const teamYaml = (url: string, more: string): string =>
  `agents:\n${Array.from({ length: AGENTS }, (_, i) => `  - id: member${i + 1}\n    backend: { type: chatcompletion, model: bench-model, base_url: '${url}', api_key: bench }\n`).join("")}${more}`;

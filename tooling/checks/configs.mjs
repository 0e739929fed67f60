/** Validates every configuration that ships with the program, with the built program, as a user would: no key, no network. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "../scripts/run.mjs";
import { walk } from "./boundaries/read-repository.mjs";
import { isMain } from "./is-main.mjs";

const program = join(root, "apps/cli/dist/massgen.js");

/** Stands in for keys that the machine may not have; validation asks whether there is one, never whether it is good. */
const keys = Object.fromEntries(
  ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "GROQ_API_KEY"].map((name) => [name, "not-a-key"]),
);

if (isMain(import.meta.url)) {
  const configs = existsSync(join(root, "configs")) ? walk(root, "configs").filter((path) => /\.ya?ml$/.test(path)) : [];
  const faults = [];
  for (const path of configs) {
    const { ok, output } = await run([process.execPath, program, "--config", join(root, path), "--validate"], { env: keys });
    if (!ok) faults.push(`${path}:\n${output.trimEnd()}`);
  }
  for (const fault of faults) console.log(fault);
  console.log(configs.length === 0 ? "skipped: configs/ is empty" : `configs: ${configs.length} valid, ${faults.length} not`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

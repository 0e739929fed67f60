import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commands } from "../src/args/commands.js";
import { flags } from "../src/args/flags.js";
import { bashCompletion } from "../src/completion/bash.js";
import { fishCompletion } from "../src/completion/fish.js";
import { completionVocabulary } from "../src/completion/vocabulary.js";
import { zshCompletion } from "../src/completion/zsh.js";

const vocabulary = completionVocabulary(["basic/single/solo.yaml", "voting/strict.yaml", "evil/$(touch x).yaml"]);
const has = (program: string): boolean => spawnSync(program, ["-c", "true"]).status === 0;

/** What the function of the script offers when Tab is pressed behind `line`, whole words again. */
function completed(line: string): readonly string[] {
  const script = `${bashCompletion(vocabulary)}
COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
_massgen
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", line], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

describe.skipIf(!has("bash"))("bash completes", () => {
  it("commands as the first word, and only those that work", () => {
    expect(completed("massgen ")).toEqual(commands.filter(({ status }) => status === "built").map(({ name }) => name));
    expect(completed("massgen conf")).toEqual(["config"]);
    expect(completed("massgen config ")).toEqual(["explain"]);
    expect(completed("massgen completion ")).toEqual(["bash", "zsh", "fish"]);
    expect(completed("massgen help exi")).toEqual(["exit-codes"]);
  });

  it("every flag that works, and none that does not", () => {
    const offered = completed("massgen --");
    expect(offered.toSorted()).toEqual(
      flags
        .filter(({ status }) => status === "built")
        .flatMap(({ name, alias }) => (alias?.startsWith("--") ? [name, alias] : [name]))
        .toSorted(),
    );
    expect(completed("massgen why --outp")).toEqual(["--output-file"]);
  });

  it("the flags of a command", () => {
    expect(completed("massgen config explain orchestrator --qu")).toEqual(["--quick"]);
    expect(completed("massgen demo --config")).toEqual([]);
  });

  it("providers, models and choices", () => {
    expect(completed("massgen --backend gr")).toEqual(["grok", "groq"]);
    expect(completed("massgen --model gpt-5-n")).toEqual(["gpt-5-nano"]);
    expect(completed("massgen --generate-config team.yaml --config-backend gr")).toEqual(["grok", "groq"]);
    expect(completed("massgen --config-model gpt-5-n")).toEqual(["gpt-5-nano"]);
    expect(completed("massgen --coordination-mode ")).toEqual(["parallel", "decomposition"]);
    expect(completed("massgen --coordination-mode=d")).toEqual(["decomposition"]);
    expect(completed("massgen --list-models --js")).toEqual(["--json"]);
  });

  it("example names behind @, of which the shell replaces what follows it; files otherwise", () => {
    expect(completed("massgen --config @ex")).toEqual(["examples/basic/single/solo", "examples/voting/strict"]);
    expect(completed("massgen --config=@examples/v")).toEqual(["examples/voting/strict"]);
    expect(completed("massgen --example v")).toEqual(["voting/strict"]);
    expect(completed("massgen --config ")).toEqual([]);
  });

  it("nothing that a shell would run", () => {
    expect(bashCompletion(vocabulary)).not.toContain("touch");
  });
});

describe("the scripts of other shells", () => {
  const scripts = { zsh: zshCompletion(vocabulary), fish: fishCompletion(vocabulary) };

  it.each(["zsh", "fish"] as const)("%s has every command, flag, provider and example", (shell) => {
    for (const word of ["explain", "exit-codes", "openrouter", "@examples/voting/strict", "gpt-5-nano", "decomposition"])
      expect(scripts[shell]).toContain(word);
    for (const { name, status } of flags.filter(({ status }) => status === "built"))
      expect(scripts[shell], status).toContain(shell === "fish" ? `-l ${name.slice(2)}` : name);
  });

  it.each(["zsh", "fish"] as const)("%s takes it, where there is one", (shell) => {
    if (!has(shell)) return;
    expect(spawnSync(shell, ["-n"], { input: scripts[shell], encoding: "utf8" }).stderr).toBe("");
  });
});

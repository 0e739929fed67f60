import { examplePaths } from "@massgen/config/node";
import type { Shell } from "../args/request.js";
import { bashCompletion } from "../completion/bash.js";
import { fishCompletion } from "../completion/fish.js";
import { completionVocabulary } from "../completion/vocabulary.js";
import { zshCompletion } from "../completion/zsh.js";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `massgen completion SHELL`: a script for that shell on stdout. */
export async function printCompletion(shell: Shell, io: Pick<Io, "env" | "out">): Promise<ExitCode> {
  io.out.write(scripts[shell](completionVocabulary(await examplePaths(examplesDir(io.env)))));
  return 0;
}

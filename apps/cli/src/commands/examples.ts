import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { examplePaths, locateConfig } from "@massgen/config/node";
import { MassgenError } from "@massgen/contracts";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { visibleJson, visibleText } from "../output/visible-text.js";

/** `massgen --list-examples`: by folder, each as it is written behind `--config`, with its first comment. */
export async function listExamples(json: boolean, io: Io): Promise<ExitCode> {
  const folder = examplesDir(io.env);
  const examples = await Promise.all(
    (await examplePaths(folder)).map(async (path) => ({
      name: `@examples/${path}`,
      description: firstComment(await readFile(join(folder, path), "utf8")),
    })),
  );
  if (json) {
    io.out.write(`${visibleJson(examples)}\n`);
    return 0;
  }
  if (examples.length === 0) throw new MassgenError("CONFIG_NOT_FOUND", `There are no examples in ${folder}.`, { exitCode: 1 });
  const width = Math.max(...examples.map(({ name }) => name.length)) + 2;
  io.out.write(examples.map(({ name, description }) => `${visibleText(name.padEnd(width) + description).trimEnd()}\n`).join(""));
  return 0;
}

/** `massgen --example NAME`: the file as it is, for `> team.yaml`. */
export async function printExample(name: string, io: Io): Promise<ExitCode> {
  const wanted = name.startsWith("@examples/") ? name : `@examples/${name}`;
  const found = await locateConfig(wanted, { cwd: io.cwd, home: homedir(), examplesDir: examplesDir(io.env) });
  if (!found.found)
    throw new MassgenError("CONFIG_NOT_FOUND", `${found.issue?.message ?? "no such example"}.`, {
      exitCode: 1,
      hint: found.issue?.hint ?? "",
    });
  io.out.write(await readFile(found.path, "utf8"));
  return 0;
}

const firstComment = (text: string): string => /^\s*#+\s*(.+)$/m.exec(text)?.[1]?.trim() ?? "";

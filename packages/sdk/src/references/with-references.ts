import { homedir } from "node:os";
import { resolve } from "node:path";
import type { RunOptions } from "../options.js";
import { resolveReferences } from "./resolve-references.js";

/** A question with the files it names beside the other options, where `parseAtReferences` asks for that. */
export async function withReferences(
  asked: string,
  options: RunOptions,
): Promise<{ readonly question: string; readonly options: RunOptions }> {
  if (options.parseAtReferences !== true) return { question: asked, options };
  const { env = process.env, cwd = process.cwd() } = options;
  const { question, contextPaths } = await resolveReferences(asked, { cwd: resolve(cwd), home: env["HOME"] || homedir() });
  const named = contextPaths.map((one) => ({ ...one }));
  return { question, options: { ...options, contextPaths: [...(options.contextPaths ?? []), ...named] } };
}

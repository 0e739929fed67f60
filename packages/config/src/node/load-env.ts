import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../expand.js";
import { decodeText } from "./decode-text.js";
import { parseEnvFile } from "./env-file.js";
import { errorCodeOf } from "./error-code.js";

export interface LoadEnvOptions {
  readonly cwd: string;
  readonly home: string;
  /** The environment of the process. Wins over every file. Not changed. */
  readonly processEnv: Environment;
  /** A file below all others, for example of whoever installed the program for many. */
  readonly defaultsFile?: string;
}

export interface EnvWarning {
  readonly file: string;
  /** 1-based; `null` for the file as a whole. */
  readonly line: number | null;
  readonly message: string;
}

export interface LoadedEnv {
  readonly env: Readonly<Record<string, string>>;
  readonly warnings: readonly EnvWarning[];
  /** Where `.env` files are looked for, lowest precedence first. */
  readonly files: readonly string[];
}

/**
 * The environment of a run: `.env` files below the environment of the process.
 * An empty value counts as missing at every level and hides nothing below it. Missing files are skipped, bad lines told.
 */
export async function loadEnv({ cwd, home, processEnv, defaultsFile }: LoadEnvOptions): Promise<LoadedEnv> {
  const files = [
    ...(defaultsFile === undefined ? [] : [defaultsFile]),
    join(home, ".massgen", ".env"),
    join(home, ".config", "massgen", ".env"),
    join(cwd, "configs", ".env"),
    join(cwd, ".env"),
  ];
  const warnings: EnvWarning[] = [];
  const env = new Map<string, string>();
  const contents = await Promise.all(files.map(readEnvFile));
  for (const [index, content] of contents.entries()) {
    const file = files[index]!;
    if (content === null) continue;
    if (!content.ok) {
      warnings.push({ file, line: null, message: `cannot be read: ${content.reason}` });
      continue;
    }
    const { values, problems } = parseEnvFile(content.text);
    for (const problem of problems) warnings.push({ file, ...problem });
    for (const [name, value] of values) if (value !== "") env.set(name, value);
  }
  for (const [name, value] of Object.entries(processEnv)) if (value !== undefined && value !== "") env.set(name, value);
  return { env: Object.fromEntries(env), warnings, files };
}

async function readEnvFile(file: string): Promise<ReturnType<typeof decodeText> | null> {
  try {
    return decodeText(await readFile(file));
  } catch (error) {
    const code = errorCodeOf(error);
    // A folder called .env is somebody's virtual environment, not ours.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return null;
    return { ok: false, reason: code === "EACCES" ? "permission denied" : code };
  }
}

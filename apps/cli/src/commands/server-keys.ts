import { appendFile, chmod, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { MassgenError } from "@massgen/contracts";
import type { HashedKey, KeyRing } from "@massgen/server";
import type { ServeRequest } from "../args/serve-request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import type { Env } from "./serve-defaults.js";

/** Whoever calls a server needs one of these; `null`: nobody needs one. @throws MassgenError for a file without keys */
export async function keysOf(
  { apiKeys, keysFile }: Pick<ServeRequest, "apiKeys" | "keysFile">,
  env: Env,
  cwd: string,
): Promise<KeyRing | null> {
  const { hashKey, keyRing, readKeyFile } = await import("@massgen/server");
  const given = [...apiKeys, ...(env["MASSGEN_SERVER_API_KEY"]?.split(",") ?? [])].map((key) => key.trim()).filter(Boolean);
  const plain: readonly HashedKey[] = given.map((key, index) => ({ name: `key-${index + 1}`, hash: hashKey(key) }));
  if (keysFile === null) return plain.length === 0 ? null : keyRing(plain);
  const file = resolve(cwd, keysFile);
  try {
    const ring = [...plain, ...readKeyFile(await readFile(file, "utf8"))];
    if (ring.length === 0) throw new RangeError("it has no key");
    return keyRing(ring);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MassgenError("CONFIG_INVALID", `The keys of ${file} cannot be read: ${why}.`, {
      exitCode: 1,
      hint: `Make one with: massgen serve --keys-file ${keysFile} --new-key <name>`,
      cause,
    });
  }
}

/** Shows a new key once and adds its hash to the file. */
export async function makeKey(name: string, file: string, io: Io): Promise<ExitCode> {
  const { newKey } = await import("@massgen/server");
  const { key, line } = newKey(name);
  await appendFile(file, `${line}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  io.out.write(`${key}\n`);
  io.err.write(`massgen: the key is shown once; ${file} keeps its hash, as ${name}.\n`);
  return 0;
}

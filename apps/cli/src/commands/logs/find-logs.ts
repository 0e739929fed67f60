import { join, resolve } from "node:path";
import { findLog } from "@massgen/sdk";
import type { Io } from "../../io.js";
import { readEnv } from "../../read-env.js";

/** The environment with what `.env` files add to it. */
export const environmentOf = async (io: Pick<Io, "cwd" | "env">): Promise<Readonly<Record<string, string | undefined>>> =>
  (await readEnv(io)).env;

/** The folder of all logs. */
export async function logBase(io: Pick<Io, "cwd" | "env">): Promise<string> {
  const env = await environmentOf(io);
  return resolve(io.cwd, env["MASSGEN_LOG_BASE_DIR"] || join(".massgen", "massgen_logs"));
}

/** The folder of the log that a name stands for: a path, the name of a log of this folder, or `latest`. @throws MassgenError `CONFIG_NOT_FOUND` */
export async function logFolder(name: string, io: Pick<Io, "cwd" | "env">): Promise<string> {
  const named = /^log_[\w.-]+$/.test(name) ? join(await logBase(io), name) : name;
  return findLog(named, { cwd: io.cwd, env: await environmentOf(io) });
}

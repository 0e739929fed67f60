import { MassgenError } from "@massgen/contracts";

export type Env = Readonly<Record<string, string | undefined>>;

const DEFAULT_MAX_CONCURRENT = 4;

interface Given {
  readonly config: string | null;
  readonly defaultModel: string | null;
  readonly maxConcurrent: number | null;
}

/** What a server plays when a request does not say, and how much at once: as said, else from the environment. */
export const defaultsOf = ({ config, defaultModel, maxConcurrent }: Given, env: Env): Given & { readonly maxConcurrent: number } => ({
  config: config ?? orNull(env["MASSGEN_SERVER_DEFAULT_CONFIG"]),
  defaultModel: defaultModel ?? orNull(env["MASSGEN_SERVER_DEFAULT_MODEL"]),
  maxConcurrent: maxConcurrent ?? numberIn(env, "MASSGEN_SERVER_MAX_CONCURRENT", 1, 10_000) ?? DEFAULT_MAX_CONCURRENT,
});

export const orNull = (text: string | undefined): string | null => (text === undefined || text.trim() === "" ? null : text.trim());

/** @throws MassgenError `CONFIG_INVALID` for a variable that is no such number */
export function numberIn(env: Env, name: string, least: number, most: number): number | null {
  const text = orNull(env[name]);
  if (text === null) return null;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new MassgenError("CONFIG_INVALID", `${name} is ${JSON.stringify(text)}; it must be a whole number from ${least} to ${most}.`, {
    exitCode: 1,
  });
}

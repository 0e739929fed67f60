import { whyUnsupported } from "@massgen/sdk/team";
import type { Io } from "../io.js";
import { askModels } from "../listings/ask-models.js";
import { homeOf, readEnv } from "../read-env.js";
import { findReady, type ReadyProvider } from "./find-ready.js";

/** What a dialogue starts from. Read again after keys were stored. */
export interface Surroundings {
  readonly home: string;
  /** `.env` files below the environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly ready: readonly ReadyProvider[];
}

export async function lookAround(io: Io): Promise<Surroundings> {
  const home = homeOf(io);
  const { env } = await readEnv(io);
  const ready = await findReady({
    env,
    isSupported: (type) => whyUnsupported(type) === null,
    ask: (request, limitMs) => askModels(request, { signal: io.interrupt, limitMs }),
  });
  return { home, env, ready };
}

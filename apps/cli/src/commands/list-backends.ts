import { listProviders } from "@massgen/config";
import { whyUnsupported } from "@massgen/sdk/team";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { providerTable } from "../listings/provider-table.js";
import { visibleJson } from "../output/visible-text.js";
import { readEnv } from "../read-env.js";

/** `massgen --list-backends`: every provider, whether there is a key for it, and whether it works today. No key is shown. */
export async function listBackends(json: boolean, io: Io): Promise<ExitCode> {
  const { env } = await readEnv(io);
  const rows = listProviders(env, (type) => whyUnsupported(type) === null);
  io.out.write(json ? `${visibleJson(rows)}\n` : providerTable(rows));
  return 0;
}

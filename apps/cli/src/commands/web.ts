import { createClient, type MassgenClient } from "@massgen/client";
import type { WebRequest } from "../args/web-request.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { readEnv } from "../read-env.js";
import { openPage } from "./open-page.js";
import { serve } from "./serve.js";

/** `massgen --web`: a server with its page on this machine, in the browser if there is one, until a signal stops it. */
export function showWeb({ server, question, quickstart, opensBrowser }: WebRequest, io: Io): Promise<ExitCode> {
  return serve(server, io, async (address) => {
    const client = await clientOf(address, io);
    const place = question === null ? (quickstart || (await isFirstUse(client)) ? "#/setup" : "") : await runPlace(client, question);
    await openPage(`${address}/${place}`, opensBrowser, io);
  });
}

async function clientOf(address: string, io: Io): Promise<MassgenClient> {
  const { env } = await readEnv(io);
  const [apiKey = ""] = env["MASSGEN_SERVER_API_KEY"]?.split(",") ?? [];
  return createClient({ baseUrl: address, ...(apiKey.trim() === "" ? {} : { apiKey: apiKey.trim() }) });
}

/** There is no team that could be asked, and nobody has asked any: what comes first is setting one up. */
async function isFirstUse(client: MassgenClient): Promise<boolean> {
  try {
    const [{ problem }, { total }] = await Promise.all([client.setup(), client.listRuns({ limit: 1 })]);
    return problem !== null && total === 0;
  } catch {
    // The page says itself what does not work.
    return false;
  }
}

async function runPlace(client: MassgenClient, question: string): Promise<string> {
  const run = await client.startRun({ question, answersRequests: true, reviewsChanges: true });
  return `#/runs/${encodeURIComponent(run.id)}`;
}

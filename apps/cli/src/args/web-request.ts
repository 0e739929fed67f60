import { MassgenError } from "@massgen/contracts";
import { textOf } from "./given-values.js";
import type { Given } from "./program.js";
import { type ServeRequest, serveRequest } from "./serve-request.js";

/** The page in a browser on this machine; the program ends with a signal. */
export interface WebRequest {
  readonly kind: "web";
  readonly server: ServeRequest;
  /** Asked at once; `null`: the page asks for one. */
  readonly question: string | null;
  /** The page opens where keys and a team are set up. */
  readonly quickstart: boolean;
  readonly opensBrowser: boolean;
}

const WEB_PORT = 8000;

/** @throws MassgenError `USAGE` for flags that only a run in the terminal has */
export function webRequest(given: Given, operand: string | null): WebRequest {
  const quickstart = given.has("--web-quickstart");
  const foreign = [...given.keys()].filter((name) => !OF_WEB.has(name));
  if (foreign.length > 0)
    throw new MassgenError(
      "USAGE",
      `${foreign.join(", ")} does not go with ${quickstart ? "--web-quickstart" : "--web"}: a run in the browser takes it from its config.`,
      {
        exitCode: 2,
      },
    );
  const port = given.get("--web-port")?.at(-1);
  return {
    kind: "web",
    server: {
      ...serveRequest(given),
      host: textOf(given, "--web-host"),
      port: typeof port === "number" ? port : WEB_PORT,
      defaultModel: textOf(given, "--model"),
      web: true,
    },
    question: operand,
    quickstart,
    opensBrowser: !given.has("--no-browser"),
  };
}

const OF_WEB: ReadonlySet<string> = new Set([
  "--web",
  "--web-quickstart",
  "--web-port",
  "--web-host",
  "--no-browser",
  "--config",
  "--model",
  "--no-logs",
  "--debug",
]);

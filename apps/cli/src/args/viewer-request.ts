import { numberOf, textOf } from "./given-values.js";
import type { Given } from "./program.js";
import type { Read } from "./record-request.js";

/** Which log `massgen viewer` is to show. */
export interface ViewedLog {
  /** A folder, the name of a log of this folder, `latest`, or `-` for lines on standard input. */
  readonly log: string;
  /** `null`: the newest. */
  readonly turn: number | null;
  readonly pick: boolean;
}

/** What `massgen viewer` is asked for. */
export interface ViewerRequest extends ViewedLog {
  readonly kind: "viewer";
  readonly attempt: number | null;
  /** Times as fast as it happened; 0: at once. `null`: as it happened, long waits cut short, or at once into a pipe. */
  readonly speed: number | null;
}

/** `massgen viewer --web`: the page, until a signal ends it. */
export interface ViewerPageRequest extends ViewedLog {
  readonly kind: "viewer-page";
  readonly port: number;
  readonly opensBrowser: boolean;
}

const WEB_PORT = 8000;

export function viewerRequest(given: Given, operand: string | null): Read<ViewerRequest | ViewerPageRequest> {
  const speed = textOf(given, "--replay-speed");
  if (speed !== null && !/^(?:\d{1,6}(?:\.\d{1,3})?|\.\d{1,3})$/.test(speed))
    return { fault: `--replay-speed takes a number such as 0 (at once), 0.5, 1 or 20, not ${JSON.stringify(speed)}` };
  const pick = given.has("--pick");
  if (pick && operand !== null) return { fault: "--pick and a log exclude each other" };
  const viewed = { log: operand ?? "latest", turn: numberOf(given, "--turn"), pick };
  if (given.has("--web")) return pageRequest(given, viewed);
  for (const name of ["--port", "--no-browser"] as const) if (given.has(name)) return { fault: `${name} needs --web` };
  return { kind: "viewer", ...viewed, attempt: numberOf(given, "--attempt"), speed: speed === null ? null : Number(speed) };
}

function pageRequest(given: Given, viewed: ViewedLog): Read<ViewerPageRequest> {
  if (viewed.log === "-") return { fault: "--web shows logs: it does not go with lines from standard input" };
  for (const name of ["--attempt", "--replay-speed"] as const)
    if (given.has(name)) return { fault: `${name} does not go with --web: the page replays a run by itself, to any of its facts` };
  return { kind: "viewer-page", ...viewed, port: numberOf(given, "--port") ?? WEB_PORT, opensBrowser: !given.has("--no-browser") };
}

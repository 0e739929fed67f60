import { numberOf, textOf } from "./given-values.js";
import type { Given } from "./program.js";
import type { Read } from "./record-request.js";

/** What `massgen viewer` is asked for. */
export interface ViewerRequest {
  readonly kind: "viewer";
  /** A folder, the name of a log of this folder, `latest`, or `-` for lines on standard input. */
  readonly log: string;
  /** `null`: the newest. */
  readonly turn: number | null;
  readonly attempt: number | null;
  /** Times as fast as it happened; 0: at once. `null`: as it happened, long waits cut short, or at once into a pipe. */
  readonly speed: number | null;
  readonly pick: boolean;
}

export function viewerRequest(given: Given, operand: string | null): Read<ViewerRequest> {
  const speed = textOf(given, "--replay-speed");
  if (speed !== null && !/^(?:\d{1,6}(?:\.\d{1,3})?|\.\d{1,3})$/.test(speed))
    return { fault: `--replay-speed takes a number such as 0 (at once), 0.5, 1 or 20, not ${JSON.stringify(speed)}` };
  const pick = given.has("--pick");
  if (pick && operand !== null) return { fault: "--pick and a log exclude each other" };
  return {
    kind: "viewer",
    log: operand ?? "latest",
    turn: numberOf(given, "--turn"),
    attempt: numberOf(given, "--attempt"),
    speed: speed === null ? null : Number(speed),
    pick,
  };
}

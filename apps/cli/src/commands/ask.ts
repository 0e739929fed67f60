import { MassgenError } from "@massgen/contracts";
import type { RunRequest } from "../args/request.js";
import { canAsk } from "../can-ask.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import type { Session } from "../session.js";
import { runQuestion } from "./run.js";

/**
 * `massgen [options] [question]`. Somebody who typed `massgen` and no question where there is no config is led by the hand;
 * scripts, and whoever brings a question, get the error of the run.
 */
export async function ask(request: RunRequest, io: Io, session: Session): Promise<ExitCode> {
  try {
    return await runQuestion(request, io, session);
  } catch (error) {
    const isFirst = MassgenError.is(error, "CONFIG_NOT_FOUND") && error.issues.length === 0;
    if (!isFirst || request.question !== null || request.output.mode !== null || !canAsk(io)) throw error;
  }
  const { quickstart } = await import("../wizards/quickstart.js");
  return quickstart({ kind: "quickstart", headless: false, agents: [], run: request }, io, session);
}

import { prepareRun, type RunPlan } from "@massgen/sdk";
import type { OutputRequest } from "../args/request.js";
import type { Session } from "../errors.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { chooseScreen } from "../output/choose-screen.js";
import { execute } from "./execute.js";

export interface Start {
  readonly plan: Omit<RunPlan, "signal">;
  readonly output: OutputRequest;
  readonly simulated: boolean;
  readonly warnings: readonly string[];
}

/** Makes a run ready and shows it. Loaded when the config is good: a mistake in it is told without loading the engine. */
export async function startRun({ plan, output, simulated, warnings }: Start, io: Io, session: Session): Promise<ExitCode> {
  const prepared = await prepareRun({ ...plan, signal: io.interrupt });
  return execute({ question: plan.question, prepared, screen: chooseScreen(output, io), output, simulated, warnings }, io, session);
}

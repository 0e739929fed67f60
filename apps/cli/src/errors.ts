import { MassgenError } from "@massgen/contracts";
import { type ExitCode, exitCodeOfError } from "./exit.js";
import type { Io } from "./io.js";
import { escapedLine, visibleLine, visibleText } from "./output/visible-text.js";
import type { Session } from "./session.js";

/** Says what went wrong on stderr and gives the exit code for it. */
export function reportError(error: unknown, session: Session, { err }: Pick<Io, "err">): ExitCode {
  session.close();
  err.write(
    errorLines(error, session)
      .map((line) => `${line}\n`)
      .join(""),
  );
  return exitCodeOfError(error);
}

function errorLines(error: unknown, session: Pick<Session, "automation" | "debug" | "logDirectory">): readonly string[] {
  const { message, hint } = wording(error, session.logDirectory);
  const stack = session.debug && error instanceof Error ? visibleText(error.stack ?? "").split("\n") : [];
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  if (session.automation) {
    const last = lines.pop() ?? "";
    return [...[...lines, `${last} ${hint}`.trim()].map((line) => `ERROR: ${escapedLine(line)}`), ...stack];
  }
  return [...lines.map((line) => `massgen: error: ${escapedLine(line)}`), ...(hint === "" ? [] : [visibleText(hint)]), ...stack];
}

function wording(error: unknown, logDirectory: string | null): { readonly message: string; readonly hint: string } {
  if (MassgenError.is(error)) return { message: error.message, hint: error.hint };
  const what = visibleLine(error instanceof Error ? error.message : String(error));
  const log = logDirectory === null ? "" : ` The log of the run is in ${logDirectory}.`;
  return {
    message: `internal error: ${what}`,
    hint: `This is a fault of massgen; please report it. --debug shows where it happened.${log}`,
  };
}

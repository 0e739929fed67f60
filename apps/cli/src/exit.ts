import { MassgenError } from "@massgen/contracts";

/** What the program ends with (docs/spec/cli.md 5). */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5;

export const INTERRUPTED: ExitCode = 4;

/** Thrown when somebody leaves a dialogue; everything has been said then. */
export const CANCELLED: Error = new Error("cancelled");

/** Errors of ours know their class; anything else is an internal failure. */
export const exitCodeOfError = (error: unknown): ExitCode => (MassgenError.is(error) ? error.exitCode : 2);

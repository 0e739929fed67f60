import { runCli } from "./cli.js";
import { createSession, reportError } from "./errors.js";
import { createProcessIo } from "./process-io.js";

/** The program from its arguments to its exit code. The only file that reads `process.argv`. */
export async function main(version: string): Promise<void> {
  const { io, exit } = createProcessIo(version);
  const session = createSession();
  // The last resort: a fault of ours that nobody awaited. One message, no stack, unless --debug asks for it.
  const broken = (error: unknown): void => {
    void exit(reportError(error, session, io));
  };
  process.on("uncaughtException", broken);
  process.on("unhandledRejection", broken);
  await exit(await runCli(process.argv.slice(2), io, session));
}

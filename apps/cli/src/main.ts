import { runCli } from "./cli.js";
import { reportError } from "./errors.js";
import { createProcessIo } from "./process-io.js";
import { createSession, guardIo } from "./session.js";

/** The program from its arguments to its exit code. The only file that reads `process.argv`. */
export async function main(version: string): Promise<void> {
  const { io: unguarded, exit } = createProcessIo(version);
  const session = createSession();
  const io = guardIo(unguarded, session);
  // The last resort: a fault of ours that nobody awaited. One message, no stack, unless --debug asks for it.
  const broken = (error: unknown): void => {
    void exit(reportError(error, session, io));
  };
  process.on("uncaughtException", broken);
  process.on("unhandledRejection", broken);
  await exit(await runCli(process.argv.slice(2), io, session));
}

import { homedir } from "node:os";
import { resolveReferences } from "@massgen/sdk/team";
import type { RunRequest } from "../args/request.js";
import type { Io } from "../io.js";

/**
 * The request with the files and folders its question names (docs/spec/cli.md 13). What is piped in is a document and no
 * command: an `@` in it is text.
 *
 * @throws MassgenError `CONFIG_INVALID` for paths that are not there
 */
export async function readReferences(request: RunRequest, io: Io): Promise<RunRequest> {
  if (!request.references || request.question?.includes("@") !== true) return request;
  const { question, contextPaths, notes } = await resolveReferences(request.question, { cwd: io.cwd, home: io.env["HOME"] || homedir() });
  for (const note of notes) io.err.write(`massgen: note: ${note}\n`);
  return { ...request, question, contextPaths: [...request.contextPaths, ...contextPaths] };
}

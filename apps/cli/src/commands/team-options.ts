import { MassgenError } from "@massgen/contracts";
import type { resolveTeam } from "@massgen/sdk/team";
import type { RunRequest } from "../args/request.js";

/** The team a command line names, and what its flags change. */
export function teamOptions(request: RunRequest): Parameters<typeof resolveTeam>[0] {
  const { config, model, backend, baseUrl, systemMessage, timeoutSeconds, rateLimit, record, singleAgent, coordinationMode, quick } =
    request;
  return {
    ...(config === null ? {} : { config }),
    ...(model === null ? {} : { model }),
    ...(backend === null ? {} : { backend }),
    ...(baseUrl === null ? {} : { baseUrl }),
    ...(systemMessage === null ? {} : { systemMessage }),
    ...(record === null ? {} : { record }),
    ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
    ...(rateLimit === null ? {} : { rateLimit }),
    ...(singleAgent === null ? {} : { singleAgent }),
    ...(coordinationMode === null ? {} : { coordinationMode }),
    ...(quick === null ? {} : { quick }),
  };
}

export function withFlagHint(error: unknown): never {
  if (MassgenError.is(error, "CONFIG_NOT_FOUND") && error.issues.length === 0) {
    throw new MassgenError("CONFIG_NOT_FOUND", error.message, {
      exitCode: 1,
      hint: "Name a team with --config <file>, or one model with --model <name>. Without a key: massgen demo",
      cause: error,
    });
  }
  throw error;
}

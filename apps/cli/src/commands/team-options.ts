import type { Environment } from "@massgen/config";
import { listProviders } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { type resolveTeam, whyUnsupported } from "@massgen/sdk/team";
import type { RunRequest } from "../args/request.js";

/** The team a command line names, and what its flags change. */
export function teamOptions(request: RunRequest): Parameters<typeof resolveTeam>[0] {
  const {
    config,
    model,
    backend,
    baseUrl,
    systemMessage,
    timeoutSeconds,
    rateLimit,
    record,
    singleAgent,
    coordinationMode,
    quick,
    contextPaths,
  } = request;
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
    ...(contextPaths.length === 0 ? {} : { contextPaths: contextPaths.map((one) => ({ ...one })) }),
  };
}

/** Where no config is found, names the ways out: a key that is set comes with the command that uses it. */
export const withFlagHint =
  (env: Environment) =>
  (error: unknown): never => {
    if (MassgenError.is(error, "CONFIG_NOT_FOUND") && error.issues.length === 0) {
      throw new MassgenError("CONFIG_NOT_FOUND", error.message, {
        exitCode: 1,
        hint: firstSteps(env),
        cause: error,
      });
    }
    if (MassgenError.is(error, "CONFIG_NOT_FOUND") && error.hint === "")
      throw new MassgenError("CONFIG_NOT_FOUND", error.message, {
        exitCode: 1,
        hint: "See what there is with: massgen --select",
        issues: error.issues,
        cause: error,
      });
    throw error;
  };

function firstSteps(env: Environment): string {
  const ready = listProviders(env, (type) => whyUnsupported(type) === null).find(
    ({ key, supported, defaultModel }) => key === "set" && supported && defaultModel !== null,
  );
  const ways = "Name a team with --config <file>, or one model with --model <name>; or let massgen --quickstart write a team.";
  if (ready === undefined) return `${ways} What is here, and what is missing: massgen doctor. Without a key: massgen demo`;
  return `${ways} There is a key for ${ready.name}: massgen --backend ${ready.type} "…". What else is here: massgen doctor`;
}

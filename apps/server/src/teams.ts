import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { formatIssues, hasErrors, type MassgenConfig } from "@massgen/config";
import { examplePaths } from "@massgen/config/node";
import { MassgenError } from "@massgen/contracts";
import { type ResolvedTeam, type RunOptions, resolveTeam } from "@massgen/sdk";
import { ApiError, badRequest } from "./errors.js";
import { pathsHider } from "./hide-paths.js";
import type { ServerOptions } from "./options.js";

/** A team as a request names it, ready to be asked. */
export interface FoundTeam {
  readonly team: ResolvedTeam;
  readonly config: MassgenConfig;
  /** Folders from which adapters named by package are looked up. */
  readonly modulesFrom: readonly string[];
  /** For the client: the name it asked for, never a path of this machine. */
  readonly name: string;
}

export interface Teams {
  /** @throws ApiError 400 for a name that stands for no good config, 403 for a path outside of the server's folder */
  find(model: string, build: unknown, more?: Pick<RunOptions, "contextPaths">): Promise<FoundTeam>;
  /** What may be asked for, the default first. */
  names(): Promise<readonly string[]>;
}

type Places = Pick<ServerOptions, "cwd" | "home" | "env" | "examplesDir" | "config" | "defaultModel" | "allowAnyPath">;

const BUILD_KEYS = ["model", "models", "num_agents", "backend", "backends", "use_docker", "context_paths"] as const;

/** Teams by the name of a model (docs/spec/cli.md 17.4). */
export function openTeams(places: Places): Teams {
  const { cwd, home, env, examplesDir } = places;
  const hidePaths = pathsHider(places);
  const lookUp = (options: RunOptions): Promise<ResolvedTeam> =>
    resolveTeam(options, { env, cwd, home, ...(examplesDir === null ? {} : { examplesDir }) });

  async function optionsOf(model: string, build: unknown): Promise<RunOptions> {
    const [, route] = /^massgen\/(.+)$/s.exec(model) ?? [];
    if (route === undefined) return defaultTeam(places);
    if (route === "build") return readBuild(build);
    const [, kind, value = ""] = /^(path|model):(.*)$/s.exec(route) ?? [];
    if (kind === "model") return { model: value };
    if (kind === "path") return { config: await pathBelow(value, places) };
    return { config: `@examples/${route}` };
  }

  return {
    async find(model, build, more = {}) {
      const options = { ...(await optionsOf(model, build)), ...more };
      const team = await lookUp(options).catch((error: unknown) => {
        throw whyNot(error, model, hidePaths);
      });
      const { config, issues } = team.loaded;
      if (config === null || hasErrors(issues))
        throw badRequest(
          `The config of ${JSON.stringify(model)} is not valid:\n${hidePaths(formatIssues(issues))}`,
          "model",
          "config_invalid",
        );
      return { team, config, modulesFrom: [...(team.path === null ? [] : [dirname(team.path)]), cwd], name: model };
    },

    async names() {
      const examples = examplesDir === null ? [] : await examplePaths(examplesDir);
      return ["massgen", ...examples.map((path) => `massgen/${path.replace(/\.ya?ml$/, "")}`)];
    },
  };
}

const defaultTeam = ({ config, defaultModel }: Places): RunOptions => ({
  ...(config === null ? {} : { config }),
  ...(defaultModel === null ? {} : { model: defaultModel }),
});

function readBuild(build: unknown): RunOptions {
  const given = typeof build === "object" && build !== null ? (build as Readonly<Record<string, unknown>>) : {};
  const unknown = Object.keys(given).find((key) => !(BUILD_KEYS as readonly string[]).includes(key));
  if (unknown !== undefined)
    throw badRequest(`\`massgen.${unknown}\` is not known; there are: ${BUILD_KEYS.join(", ")}.`, `massgen.${unknown}`, "unknown_option");
  const text = (key: string): string | undefined => stringOr(given[key], key);
  const texts = (key: string): readonly string[] | undefined => stringsOr(given[key], key);
  const numAgents = given["num_agents"];
  if (numAgents !== undefined && !(Number.isSafeInteger(numAgents) && Number(numAgents) > 0 && Number(numAgents) <= 20))
    throw badRequest("`massgen.num_agents` must be a whole number from 1 to 20.", "massgen.num_agents", "invalid_value");
  for (const key of ["use_docker", "context_paths"])
    if (given[key] !== undefined && given[key] !== false)
      throw new ApiError(403, `\`massgen.${key}\` is not open to clients: name a config that has it.`, { param: `massgen.${key}` });
  const options = {
    model: text("model"),
    models: texts("models"),
    backend: text("backend"),
    backends: texts("backends"),
    numAgents: numAgents === undefined ? undefined : Number(numAgents),
  };
  const named = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  if (Object.keys(named).length === 0)
    throw badRequest('`massgen/build` needs `massgen: {"models": […]}` in the body.', "massgen", "missing_option");
  return named;
}

function stringOr(value: unknown, key: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw badRequest(`\`massgen.${key}\` must be text.`, `massgen.${key}`, "invalid_value");
}

function stringsOr(value: unknown, key: string): readonly string[] | undefined {
  if (value === undefined || (Array.isArray(value) && value.every((one) => typeof one === "string"))) return value;
  throw badRequest(`\`massgen.${key}\` must be a list of texts.`, `massgen.${key}`, "invalid_value");
}

/** @throws ApiError 403 for a path that leads out of the server's folder, by itself or through a link */
async function pathBelow(path: string, { cwd, allowAnyPath }: Places): Promise<string> {
  const full = resolve(cwd, path);
  if (allowAnyPath) return full;
  const [real, root] = await Promise.all([realpath(full).catch(() => full), realpath(cwd)]);
  const inside = [relative(root, real), relative(cwd, full)].every((way, index) =>
    index === 1 && real !== full ? true : way !== "" && !way.startsWith("..") && !isAbsolute(way),
  );
  if (!inside) throw new ApiError(403, "The path is outside of the server's folder.", { param: "model", code: "path_outside" });
  return real;
}

function whyNot(error: unknown, model: string, hidePaths: (text: string) => string): unknown {
  if (!MassgenError.is(error) || error.exitCode !== 1) return error;
  const text = error.hint === "" ? error.message : `${error.message} ${error.hint}`;
  if (error.code === "CONFIG_NOT_FOUND")
    return badRequest(
      model.startsWith("massgen/")
        ? `There is no team called ${JSON.stringify(model)}. GET /v1/models lists them.`
        : "This server has no default team: ask for massgen/model:<name> or massgen/<example>; GET /v1/models lists them.",
      "model",
      "config_not_found",
    );
  return badRequest(hidePaths(text), "model", error.code.toLowerCase());
}

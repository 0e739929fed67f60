import { checkConfig, draftConfig, type SetupState, saveConfig, storeKey, type teamList } from "@massgen/client";
import { whyNotReady } from "@massgen/sdk/team";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { checkSameOrigin } from "../auth.js";
import type { ServerContext } from "../context.js";
import { ApiError } from "../errors.js";
import { readAs } from "../v1/chat-request.js";
import { checkText, draftText, keepTeam, listTeams, teamText } from "./configs.js";
import { listFolder } from "./folders.js";
import { dropKey, keepKey, keyFileOf, type LiveEnv, providerStates } from "./keys.js";

const folderQuery = z.object({ path: z.string().max(4_096).default("") });
const contentQuery = z.object({ model: z.string().min(1).max(1_000) });

/** Keys and teams, for the page of this server (docs/spec/cli.md 17.13). They write files and are there only with `setup`. */
export function setupRoutes(app: FastifyInstance, context: ServerContext, env: LiveEnv): void {
  const { options, teams } = context;
  const { home } = options;
  const places = { cwd: options.cwd, home, examplesDir: options.examplesDir, env };
  const file = keyFileOf(options);
  const fromProcess = new Set(Object.keys(options.processEnv ?? {}).filter((name) => (options.processEnv?.[name] ?? "").trim() !== ""));

  const keyPlaces = { cwd: options.cwd, home, processEnv: options.processEnv ?? {} };
  const byDefault = () => teams.find("massgen", null).catch(() => null);

  app.addHook("onRequest", async (request) => {
    if (/^\/api\/(?:setup|configs|folders)(?:[/?]|$)/.test(request.url)) checkSameOrigin(request);
  });
  app.get("/api/setup", async (): Promise<SetupState> => {
    const problem = await teams.find("massgen", null).then(
      ({ config }) => whyNotReady(config, env)?.message ?? null,
      (error: unknown) => {
        if (error instanceof ApiError) return error.message;
        throw error;
      },
    );
    const shown = file.startsWith(home) ? `~${file.slice(home.length)}` : file;
    return { providers: [...(await providerStates(env, file, fromProcess))], keyFile: shown, problem };
  });
  app.put("/api/setup/keys", async (request) => {
    const { variable, value } = readAs(storeKey, request.body);
    return keepKey(variable, value, file, env, keyPlaces);
  });
  app.delete<{ Params: { variable: string } }>("/api/setup/keys/:variable", ({ params: { variable } }) =>
    dropKey(variable, file, env, keyPlaces),
  );
  app.get("/api/configs", async (): Promise<z.infer<typeof teamList>> => {
    const found = await listTeams(await byDefault(), places);
    return { teams: found.map(({ path: _, ...team }) => team) };
  });
  app.get("/api/folders", (request) => listFolder(readAs(folderQuery, request.query).path, places));
  app.get("/api/configs/content", async (request) => {
    const { model } = readAs(contentQuery, request.query);
    return { model, text: await teamText(model, await byDefault(), places) };
  });
  app.post("/api/configs/check", (request) => checkText(readAs(checkConfig, request.body).text, env));
  app.post("/api/configs/draft", (request) => ({ text: draftText(readAs(draftConfig, request.body), env) }));
  app.post("/api/configs", async (request, reply) => {
    const { name, text, replace } = readAs(saveConfig, request.body);
    return reply.code(201).send(await keepTeam(name, text, replace, places));
  });
}

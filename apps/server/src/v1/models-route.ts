import type { FastifyInstance } from "fastify";
import type { ServerContext } from "../context.js";
import { ApiError } from "../errors.js";

/** `GET /v1/models`: the default team and the examples (docs/spec/cli.md 17.2). */
export function modelRoutes(app: FastifyInstance, { teams }: ServerContext): void {
  const created = Math.floor(Date.now() / 1000);
  const entry = (id: string): object => ({ id, object: "model", created, owned_by: "massgen" });
  app.get("/v1/models", async () => ({ object: "list", data: (await teams.names()).map(entry) }));
  app.get<{ Params: { "*": string } }>("/v1/models/*", async ({ params }) => {
    const id = params["*"];
    if (!(await teams.names()).includes(id))
      throw new ApiError(404, `There is no model ${JSON.stringify(id.slice(0, 200))}.`, { param: "model", code: "model_not_found" });
    return entry(id);
  });
}

import { scriptedTeam } from "@massgen/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { type Served, serve } from "./serve.js";

const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

describe("GET /openapi.json", () => {
  it.each([{}, { setup: true }, { recorded: { logs: {} } }])("names every path of the server and no other: %j", async (change) => {
    const served = await serve(scriptedTeam({}), ["ada"], change);
    open.push(served);
    const document = (await (await fetch(`${served.url}/openapi.json`)).json()) as { readonly paths: Readonly<Record<string, object>> };
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const routes = served.server.routes().map(({ method, url }) => `${method.toLowerCase()} ${asTemplate(url)}`);
    expect(documented.toSorted()).toEqual([...new Set(routes)].toSorted());
    expect(JSON.stringify(document)).not.toContain(served.folder);
  });
});

const asTemplate = (url: string): string =>
  url.replace(/:(\w+)/g, "{$1}").replace(/\/\*$/, url.startsWith("/v1/models") ? "/{id}" : "/{path}");

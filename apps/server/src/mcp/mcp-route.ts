import { randomUUID } from "node:crypto";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ServerContext } from "../context.js";
import { ApiError } from "../errors.js";

/** Connections kept open; the one that was silent longest makes room. */
const MAX_SESSIONS = 100;

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  /** The key it was opened with; nobody else may use it. */
  readonly owner: string | null;
}

/** `/mcp`: the same tools over streamable HTTP. */
export function mcpRoutes(app: FastifyInstance, context: ServerContext): void {
  const sessions = new Map<string, Session>();

  async function open(owner: string | null): Promise<Session> {
    // Loaded with the first client that comes: most servers never see one.
    const [{ StreamableHTTPServerTransport }, { createMcpServer }] = await Promise.all([
      import("@modelcontextprotocol/sdk/server/streamableHttp.js"),
      import("./mcp-server.js"),
    ]);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, session);
        const [oldest] = sessions;
        if (sessions.size > MAX_SESSIONS && oldest !== undefined) void oldest[1].transport.close();
      },
    });
    const session: Session = { transport, owner };
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    await createMcpServer(context.runs, context.options.version).connect(transport);
    return session;
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const id = request.headers["mcp-session-id"];
    const owner = context.keyNameOf(request);
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && (known === undefined || known.owner !== owner))
      throw new ApiError(404, "The MCP session is not known, or is over.", { code: "session_not_found" });
    if (known !== undefined && typeof id === "string") {
      // Last used last: the first of the map is the one to make room.
      sessions.delete(id);
      sessions.set(id, known);
    }
    const { transport } = known ?? (await open(owner));
    reply.hijack();
    await transport.handleRequest(request.raw, reply.raw, request.body);
    return reply;
  }

  app.post("/mcp", handle);
  app.get("/mcp", handle);
  app.delete("/mcp", handle);
  app.addHook("onClose", async () => {
    await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
  });
}

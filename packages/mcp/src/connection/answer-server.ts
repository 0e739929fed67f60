import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
  ErrorCode,
  LoggingMessageNotificationSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { oneLine, visibleText } from "../one-line.js";
import type { Elicitation, McpHost } from "../server.js";
import type { Deadlines } from "./deadlines.js";

/** Fields a server must not ask for in a form: such things are typed where they belong. */
const SECRET = /pass(?:word|wd|phrase)|secret|token|api.?key|credential|private.?key|\bpin\b/i;
const LOGS_PER_SECOND = 100;

/**
 * What servers may ask of us: a question to the person, who alone answers; nothing of the models, nothing of the folders.
 */
export function answerServer(client: Client, server: string, host: McpHost, deadlines: Pick<Deadlines, "pause">): void {
  const { elicit } = host;
  if (elicit !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }): Promise<ElicitResult> => {
      const question = readElicitation(server, params);
      if (typeof question === "string") {
        host.log(server, "warning", `a question to the person was declined: ${question}`);
        return { action: "decline" };
      }
      const goOn = deadlines.pause();
      const answer = await elicit(question, signal).finally(goOn);
      if (answer.action !== "accept") return { action: answer.action };
      return { action: "accept", content: copied(answer.content ?? {}) };
    });
  client.fallbackRequestHandler = async ({ method }) => {
    host.log(server, "warning", `its request ${oneLine(method)} was refused`);
    if (method === "elicitation/create") return { action: "decline" };
    throw new McpError(ErrorCode.MethodNotFound, REFUSALS[method] ?? `${oneLine(method)} is not supported.`);
  };
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    limited(({ params }) => host.log(server, "debug", `says (${params.level}): ${saidIn(params.data)}`)),
  );
}

const REFUSALS: Readonly<Record<string, string>> = {
  "sampling/createMessage": "Sampling is refused: MassGen does not lend its models to servers.",
  "roots/list": "Roots are not told: the folders of a server are those its own configuration names.",
};

const saidIn = (data: unknown): string => oneLine(typeof data === "string" ? data : JSON.stringify(data ?? null), 1000);

/** A sentence when the person is not to be asked. */
function readElicitation(server: string, params: ElicitRequest["params"]): Elicitation | string {
  const message = visibleText(params.message).slice(0, 2000);
  if (params.mode === "url") {
    if (!URL.canParse(params.url) || !/^https?:$/.test(new URL(params.url).protocol)) return "its address is none";
    return { server, message, asks: { kind: "url", url: new URL(params.url).href } };
  }
  const { properties, required = [] } = params.requestedSchema;
  const secret = Object.entries(properties).find(([name, field]) =>
    SECRET.test(`${name} ${"title" in field ? String(field.title ?? "") : ""}`),
  );
  if (secret !== undefined) return `it asks for ${JSON.stringify(oneLine(secret[0], 80))}, which looks like a secret`;
  return { server, message, asks: { kind: "form", fields: properties, required } };
}

const copied = (
  content: Readonly<Record<string, string | number | boolean | readonly string[]>>,
): Record<string, string | number | boolean | string[]> =>
  Object.fromEntries(Object.entries(content).map(([name, value]) => [name, typeof value === "object" ? [...value] : value]));

function limited<T>(tell: (said: T) => void): (said: T) => void {
  let second = 0;
  let count = 0;
  return (said) => {
    const now = Math.floor(performance.now() / 1000);
    count = now === second ? count + 1 : 1;
    second = now;
    if (count <= LOGS_PER_SECOND) tell(said);
  };
}

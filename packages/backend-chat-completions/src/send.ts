import { type Asked, AttemptError, type AttemptFailure, classifyNetworkError, classifyReply, type FailedReply } from "@massgen/backend-kit";
import type { Ambient } from "@massgen/contracts";
import type { OpenAI } from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { JsonObject } from "./json.js";
import { localFailure, markReached } from "./local-server.js";
import type { Settings } from "./options.js";

type Sdk = typeof import("openai");

/** The SDK's own limit is switched off: silence is watched in one place, on the injected clock. */
const NO_TIMEOUT_MS = 2_147_483_647;
/** Error bodies are read as far as anybody will look at them. */
const LONGEST_ERROR_BODY = 65_536;
/** What of the SDK's headers is sent. It adds a description of the machine, and whatever stands in its environment variables. */
const SENT_HEADERS = new Set(["accept", "authorization", "content-type", "user-agent", "api-key"]);

export interface SentRequest {
  readonly response: Response;
  readonly asked: Asked;
}

/** A reply with a status of 400 and above, as it came: the adapter may know how to cure it. */
export class RefusedError extends AttemptError {
  readonly reply: FailedReply;

  constructor(failure: AttemptFailure, reply: FailedReply) {
    super(failure);
    this.reply = reply;
  }
}

/**
 * Sends one request through the official SDK and hands over the response unread.
 * @throws RefusedError for a reply that is no success, AttemptError when there was none.
 */
export async function send(sdk: Sdk, body: JsonObject, settings: Settings, signal: AbortSignal): Promise<SentRequest> {
  let asked = askedOf(settings, `${settings.address.href}/chat/completions`);
  let refused: FailedReply | null = null;
  const client = openClient(sdk, settings, async (input, init) => {
    asked = askedOf(settings, addressOf(input));
    const response = await settings.ambient.fetch(input, { ...init, headers: ownHeaders(init?.headers, settings) });
    markReached(settings);
    if (response.ok) return response;
    refused = { status: response.status, headers: response.headers, body: await readStart(response) };
    // The SDK keeps only errors of OpenAI's own shape; its copy is not looked at.
    return new Response(null, { status: response.status });
  });
  try {
    // The body carries fields of other vendors too, which the SDK sends as they are.
    const params = body as unknown as ChatCompletionCreateParamsStreaming;
    const response = await client.chat.completions.create(params, { signal }).asResponse();
    return { response, asked };
  } catch (error) {
    const reply = refused as FailedReply | null;
    if (reply !== null) throw new RefusedError(classifyReply(asked, reply, settings.ambient.clock.now()), reply);
    throw new AttemptError(localFailure(classifyNetworkError(asked, error), error, settings), { cause: error });
  }
}

function openClient({ OpenAI: Client }: Sdk, settings: Settings, fetch: Ambient["fetch"]): OpenAI {
  const { address, apiKey, headers, preset } = settings;
  return new Client({
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    baseURL: address.href,
    defaultQuery: address.query,
    defaultHeaders: { ...authorization(settings), ...(preset.dialect === "azure" ? { "api-key": apiKey } : {}), ...headers },
    fetch,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: "off",
    // Whoever runs an agent in a page has decided to bring the key there.
    dangerouslyAllowBrowser: true,
  });
}

/** The key goes as a bearer token; a user and a password in the address serve where there is no key. */
function authorization({ apiKey, address, preset }: Settings): Readonly<Record<string, string | null>> {
  if (preset.dialect === "azure") return { authorization: null };
  if (apiKey !== null) return {};
  if (address.credentials === null) return { authorization: null };
  const { user, password } = address.credentials;
  return { authorization: `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}` };
}

function ownHeaders(given: HeadersInit | undefined, { headers }: Settings): Headers {
  const sent = new Headers(given);
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  for (const name of [...sent.keys()]) if (!SENT_HEADERS.has(name) && !own.has(name)) sent.delete(name);
  return sent;
}

async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (text.length < LONGEST_ERROR_BODY) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    return text;
  } catch {
    // The status is known, and says more than a torn body.
    return text;
  } finally {
    reader.cancel().catch(() => {});
  }
}

function askedOf({ vendor, model, secrets, keyName, nearModels }: Settings, url: string): Asked {
  return { vendor, model, url, secrets, nearModels, ...(keyName === null ? {} : { keyName }) };
}

function addressOf(input: Parameters<Ambient["fetch"]>[0]): string {
  return input instanceof Request ? input.url : String(input);
}

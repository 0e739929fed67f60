import type { GenerateContentParameters, GoogleGenAI } from "@google/genai/web";
import { type Asked, AttemptError, type AttemptFailure, classifyNetworkError, type FailedReply, readErrorBody } from "@massgen/backend-kit";
import type { Ambient } from "@massgen/contracts";
import { classifyRefusal } from "./classify.js";
import type { Settings } from "./options.js";

type Sdk = typeof import("@google/genai/web");

/** The SDK insists on a key; this one is taken out again before anything is sent. */
const NO_KEY = "none";

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
 * Sends one request through the official SDK and hands over the response unread. The SDK gives no raw response and its own
 * reader drops events with a comment or an `event:` line in them, so its `fetch` keeps the response and the SDK gets an empty one.
 * @throws RefusedError for a reply that is no success, AttemptError when there was none.
 */
export async function send(sdk: Sdk, params: GenerateContentParameters, settings: Settings, signal: AbortSignal): Promise<SentRequest> {
  const { ambient, address, model } = settings;
  let asked = askedOf(settings, `${address.href}/${address.version}/models/${model}:streamGenerateContent`);
  let taken: Response | null = null;
  let refused: FailedReply | null = null;
  const client = openClient(sdk, settings, async (input, init) => {
    const url = withQuery(input, address.query);
    asked = askedOf(settings, url);
    const response = await ambient.fetch(url, { ...init, headers: ownHeaders(init?.headers, settings) });
    if (response.ok) taken = response;
    else refused = { status: response.status, headers: response.headers, body: await readErrorBody(response) };
    return new Response(null, { status: response.ok ? 200 : response.status });
  });
  try {
    const config = { ...params.config, abortSignal: signal };
    await client.models.generateContentStream({ ...params, config });
  } catch (error) {
    const reply = refused as FailedReply | null;
    if (reply !== null) throw new RefusedError(classifyRefusal(asked, reply, ambient.clock.now()), reply);
    if (taken === null) throw new AttemptError(classifyNetworkError(asked, error), { cause: error });
  }
  if (taken === null) throw new Error("the SDK made no request");
  return { response: taken, asked };
}

/** The SDK's browser build: it reads no environment variables, prints no warnings about them, and loads in a quarter of the time. */
function openClient({ GoogleGenAI: Client }: Sdk, { address, apiKey }: Settings, fetch: Ambient["fetch"]): GoogleGenAI {
  return new Client({
    apiKey: apiKey ?? NO_KEY,
    vertexai: false,
    apiVersion: address.version,
    httpOptions: { baseUrl: address.href, fetch },
  });
}

/** The key goes in a header of its own; a user and a password in the address serve where there is no key. */
function ownHeaders(given: HeadersInit | undefined, { headers, apiKey, address: { credentials } }: Settings): Headers {
  const sent = new Headers(given);
  if (apiKey === null) {
    sent.delete("x-goog-api-key");
    if (credentials !== null) sent.set("authorization", basic(credentials));
  }
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  return sent;
}

function basic({ user, password }: { readonly user: string; readonly password: string }): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`;
}

function withQuery(input: Parameters<Ambient["fetch"]>[0], query: Readonly<Record<string, string>>): string {
  const url = new URL(input instanceof Request ? input.url : String(input));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

function askedOf({ vendor, model, secrets, keyName, nearModels }: Settings, url: string): Asked {
  return { vendor, model, url, secrets, nearModels, ...(keyName === null ? {} : { keyName }) };
}

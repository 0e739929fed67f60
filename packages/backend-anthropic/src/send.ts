import type { Anthropic } from "@anthropic-ai/sdk";
import { type Asked, AttemptError, type AttemptFailure, classifyNetworkError, type FailedReply, readErrorBody } from "@massgen/backend-kit";
import type { Ambient } from "@massgen/contracts";
import { classifyRefusal } from "./classify.js";
import type { JsonObject } from "./json.js";
import type { Settings } from "./options.js";

type Sdk = typeof import("@anthropic-ai/sdk");

/** The SDK's own limit is switched off: silence is watched in one place, on the injected clock. */
const NO_TIMEOUT_MS = 2_147_483_647;
/** What of the SDK's headers is sent. It adds a description of the machine, and whatever stands in its environment variables. */
const SENT_HEADERS = new Set([
  "accept",
  "content-type",
  "user-agent",
  "anthropic-version",
  "anthropic-beta",
  "anthropic-dangerous-direct-browser-access",
]);

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

export interface Sending {
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Sends one request through the official SDK and hands over the response unread.
 * @throws RefusedError for a reply that is no success, AttemptError when there was none.
 */
export async function send(sdk: Sdk, { body, headers, signal }: Sending, settings: Settings): Promise<SentRequest> {
  let asked = askedOf(settings, `${settings.address.href}/v1/messages`);
  let refused: FailedReply | null = null;
  const client = openClient(sdk, settings, async (input, init) => {
    asked = askedOf(settings, input instanceof Request ? input.url : String(input));
    const response = await settings.ambient.fetch(input, { ...init, headers: ownHeaders(init?.headers, headers, settings) });
    if (response.ok) return response;
    refused = { status: response.status, headers: response.headers, body: await readErrorBody(response) };
    // The SDK's copy of the error is not looked at.
    return new Response(null, { status: response.status });
  });
  try {
    // Not `messages.create`: that writes to the console about models and parameters that are on their way out.
    const response = await client.post("/v1/messages", { body, signal, stream: true }).asResponse();
    return { response, asked };
  } catch (error) {
    const reply = refused as FailedReply | null;
    if (reply !== null) throw new RefusedError(classifyRefusal(asked, reply, settings.ambient.clock.now()), reply);
    throw new AttemptError(classifyNetworkError(asked, error), { cause: error });
  }
}

function openClient({ Anthropic: Client }: Sdk, { address }: Settings, fetch: Ambient["fetch"]): Anthropic {
  return new Client({
    // Without one the SDK would look for credentials on the disk; the header is written in `ownHeaders`.
    apiKey: "none",
    authToken: null,
    webhookKey: null,
    baseURL: address.href,
    defaultQuery: address.query,
    fetch,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: "off",
    openTelemetry: false,
    // Whoever runs an agent in a page has decided to bring the key there.
    dangerouslyAllowBrowser: true,
  });
}

function ownHeaders(given: HeadersInit | undefined, ofRequest: Readonly<Record<string, string>>, settings: Settings): Headers {
  const sent = new Headers(given);
  for (const name of [...sent.keys()]) if (!SENT_HEADERS.has(name)) sent.delete(name);
  const { "anthropic-beta": betas, ...own } = lowerCase(settings.headers);
  const all = { ...authorization(settings), ...ofRequest, ...own };
  for (const [name, value] of Object.entries(all)) sent.set(name, value);
  if (betas !== undefined) sent.set("anthropic-beta", [ofRequest["anthropic-beta"], betas].filter(Boolean).join(","));
  return sent;
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * The key as a bearer token, as the vendor's SDK sends it; to other addresses also in the header gateways know from
 * before. A user and a password in the address serve where there is no key.
 */
function authorization({ apiKey, address }: Settings): Readonly<Record<string, string>> {
  if (apiKey !== null) {
    const isVendor = /(?:^|\.)anthropic\.com$/.test(new URL(address.href).hostname);
    return { authorization: `Bearer ${apiKey}`, ...(isVendor ? {} : { "x-api-key": apiKey }) };
  }
  if (address.credentials === null) return {};
  const { user, password } = address.credentials;
  return { authorization: `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}` };
}

function askedOf({ vendor, model, secrets, keyName, nearModels }: Settings, url: string): Asked {
  return { vendor, model, url, secrets, nearModels, ...(keyName === null ? {} : { keyName }) };
}

import {
  type Asked,
  AttemptError,
  type AttemptEvent,
  checkedKey,
  classifyNetworkError,
  classifyReply,
  classifyUnexpectedBody,
  legalToolNames,
  runTurn,
  tidyBaseUrl,
  webAmbient,
} from "@massgen/backend-kit";
import type { Ambient, BackendAdapter, BackendOptions, TurnRequest } from "@massgen/contracts";
import { capabilities, DEFAULT_BASE_URL, type ParrotOptions } from "./options.js";
import { readReply } from "./read-reply.js";
import { buildBody } from "./request.js";

/** A model behind Parrot. Throws `MassgenError` `CONFIG_INVALID` for options it cannot work with; connects to nothing. */
export function createParrot(options: ParrotOptions): BackendAdapter {
  const { model, baseUrl = DEFAULT_BASE_URL, maxRetries, maxIncompleteResponseRetries } = options;
  const ambient = webAmbient(options.ambient);
  const apiKey = checkedKey(options.apiKey);
  const secrets = apiKey === null ? [] : [apiKey];
  const url = `${tidyBaseUrl(baseUrl, { apiPath: "/chat/completions", defaultPath: "/v1" }).href}/chat/completions`;
  const headers = { "content-type": "application/json", ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) };
  const asked: Asked = { vendor: "Parrot", model, url, secrets };
  const limits = {
    ...(maxRetries === undefined ? {} : { maxRetries }),
    ...(maxIncompleteResponseRetries === undefined ? {} : { maxIncompleteResponseRetries }),
  };

  async function send(request: TurnRequest, signal: AbortSignal): Promise<AsyncIterable<AttemptEvent>> {
    const names = legalToolNames(request.tools.map(({ name }) => name));
    const body = JSON.stringify(buildBody(options, request, names));
    const stream = await post(asked, { method: "POST", headers, body, signal }, ambient);
    return readReply(stream, { asked, request, names, newId: () => ambient.ids.next("call"), signal });
  }

  return {
    specVersion: 1,
    id: "parrot",
    model,
    capabilities,
    stream: (request, signal) =>
      runTurn({
        model,
        who: `Parrot (${model})`,
        ambient,
        signal,
        secrets,
        limits,
        attempt: ({ signal: stop }) => send(request, stop),
      }),
    dispose: () => Promise.resolve(),
  };
}

/** What a config names: `type: "@massgen/backend-parrot"`. */
export function createBackend({ model, ...options }: BackendOptions): BackendAdapter {
  return createParrot({ model: model ?? "parrot-1", ...options });
}

/** The body of an accepted request. */
async function post(asked: Asked, init: RequestInit, { fetch, clock }: Ambient): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(asked.url, init).catch((error: unknown) => {
    throw new AttemptError(classifyNetworkError(asked, error), { cause: error });
  });
  const { ok, status, headers, body } = response;
  const contentType = headers.get("content-type");
  if (!ok) throw new AttemptError(classifyReply(asked, { status, headers, body: await response.text() }, clock.now()));
  if (body === null || contentType?.includes("text/event-stream") !== true)
    throw new AttemptError(classifyUnexpectedBody(asked, status, contentType, await response.text()));
  return body;
}

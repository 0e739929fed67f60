import { Agent, type IncomingMessage, type OutgoingHttpHeaders, type RequestOptions, request } from "node:http";

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Begins a streamed completion; resolves with the first byte of its answer. */
export const beginCompletion = (address: string, model: string): Promise<IncomingMessage> =>
  send(`${address}/chat/completions`, "POST", { model, messages: [{ role: "user", content: "Which cache policy fits?" }], stream: true });

export async function startRun(address: string): Promise<string> {
  const response = await send(`${address}/api/runs`, "POST", { question: "Which cache policy fits?" });
  const { id } = JSON.parse(await textOf(response)) as { readonly id: string };
  return id;
}

/** The events of a run, as bytes. */
export const watchRun = (address: string, id: string): Promise<IncomingMessage> => send(`${address}/api/runs/${id}/events`, "GET");

export const get = (url: string): Promise<IncomingMessage> => send(url, "GET");

/** Resolves with an answer that is well; else rejects with what it says. */
export function send(
  url: string,
  method: string,
  body?: object,
  by: Pick<RequestOptions, "agent" | "headers"> = {},
): Promise<IncomingMessage> {
  const headers = { ...(body === undefined ? {} : { "content-type": "application/json" }), ...(by.headers as OutgoingHttpHeaders) };
  return new Promise((resolve, reject) => {
    const going = request(url, { method, agent: by.agent ?? agent, headers }, (response) => {
      if (response.statusCode !== undefined && response.statusCode < 300) return resolve(response);
      void textOf(response).then((text) => reject(new Error(`${url} was answered with ${response.statusCode}: ${text.slice(0, 300)}`)));
    });
    going.once("error", reject);
    going.end(body === undefined ? "" : JSON.stringify(body));
  });
}

export async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += piece as string;
  return text;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

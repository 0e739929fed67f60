import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number };
  readonly events: readonly { readonly name: string }[];
}

/** A collector on loopback that keeps what it is sent, as JSON and as text. */
export async function openCollector(status = 200) {
  const requests: { readonly path: string; readonly headers: Readonly<Record<string, unknown>>; readonly text: string }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      requests.push({ path: request.url ?? "", headers: request.headers, text: Buffer.concat(parts).toString("utf8") });
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const bodies = (path: string): readonly ReturnType<typeof JSON.parse>[] =>
    requests.filter((request) => request.path === path).map(({ text }) => JSON.parse(text));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: (): readonly Span[] =>
      bodies("/v1/traces").flatMap((body) =>
        body.resourceSpans.flatMap((one: { scopeSpans: { spans: Span[] }[] }) => one.scopeSpans.flatMap(({ spans }) => spans)),
      ),
    metrics: (): readonly {
      readonly name: string;
      readonly unit: string;
      readonly histogram: {
        readonly dataPoints: readonly { readonly count: number | string; readonly sum: number; readonly attributes: Span["attributes"] }[];
      };
    }[] =>
      bodies("/v1/metrics").flatMap((body) =>
        body.resourceMetrics.flatMap((one: { scopeMetrics: { metrics: unknown[] }[] }) =>
          one.scopeMetrics.flatMap(({ metrics }) => metrics),
        ),
      ),
    text: (): string => requests.map(({ text }) => text).join("\n"),
  };
}

export const attributesOf = ({ attributes }: Pick<Span, "attributes">): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

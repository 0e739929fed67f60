import type { ToolOutput } from "@massgen/contracts";
import type { InspectedServer } from "@massgen/sdk/mcp";
import { pad, wrap } from "../../output/columns.js";
import { visibleLine, visibleText } from "../../output/visible-text.js";

const addressOf = ({ config }: InspectedServer): string =>
  config.transport.kind === "http"
    ? new URL(config.transport.url).origin + new URL(config.transport.url).pathname
    : config.transport.argv.join(" ");

/** For `--json`. Variables and headers, which are secret, are left out. */
export const serverRows = (servers: readonly InspectedServer[]): readonly object[] =>
  servers.map((server) => ({
    name: server.report.name,
    state: server.report.state,
    error: server.report.error,
    tools: server.report.tools,
    agents: server.agents,
    transport: server.config.transport.kind === "http" ? "streamable-http" : "stdio",
    address: addressOf(server),
    start_ms: Math.round(server.startMs),
    warnings: server.warnings,
  }));

export function serverLines(servers: readonly InspectedServer[]): string {
  const width = Math.max(...servers.map(({ report }) => report.name.length)) + 2;
  return servers
    .map(({ report, startMs, ...server }) => {
      const found =
        report.state === "ready" ? `${count(report.tools, "tool")}, ready in ${Math.round(startMs)} ms` : `failed: ${report.error}`;
      const address = visibleLine(addressOf({ report, startMs, ...server }));
      return `${pad(visibleLine(report.name), width)}${visibleLine(found)}\n${" ".repeat(width)}${address}\n`;
    })
    .join("");
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

export const toolRows = (servers: readonly InspectedServer[]): readonly object[] =>
  servers.map(({ report, tools }) => ({
    name: report.name,
    state: report.state,
    error: report.error,
    tools: tools.map(({ spec, risk }) => ({ name: spec.name, description: spec.description, risk, input: spec.input })),
  }));

/** Descriptions as models read them, for a person to see what they are told. */
export function toolLines(servers: readonly InspectedServer[], columns: number): string {
  const width = Math.max(40, Math.min(columns, 100) - 4);
  const blocks = servers.map(({ report, tools }) => {
    if (report.state === "failed") return `${visibleLine(report.name)}: ${visibleLine(report.error ?? "failed")}\n`;
    return tools
      .map(({ spec, risk }) => {
        const about = wrap(visibleLine(spec.description), width).map((line) => `    ${line}\n`);
        return `${visibleLine(spec.name)}${argumentsOf(spec.input)}${risk === "external" ? "" : ` [${risk}]`}\n${about.join("")}`;
      })
      .join("");
  });
  return blocks.join("\n") || "The config has no MCP servers.\n";
}

/** `(path, head?)`. */
function argumentsOf(schema: { readonly [keyword: string]: unknown }): string {
  const properties = schema["properties"];
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return `(${names.map((name) => `${visibleLine(name)}${required.includes(name) ? "" : "?"}`).join(", ")})`;
}

export const resultText = ({ parts }: ToolOutput): string =>
  parts.map((part) => (part.type === "text" ? visibleText(part.text) : `[${part.mediaType}, ${bytesOf(part.data)} bytes]`)).join("\n");

export const plainResult = ({ parts, isError }: ToolOutput): object => ({
  ok: !isError,
  parts: parts.map((part) =>
    part.type === "text"
      ? part
      : { type: "media", media_type: part.mediaType, base64: part.data instanceof URL ? null : Buffer.from(part.data).toString("base64") },
  ),
});

const bytesOf = (data: Uint8Array | URL): number => (data instanceof URL ? 0 : data.length);

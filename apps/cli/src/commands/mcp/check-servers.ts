import type { InspectedServer } from "@massgen/sdk/mcp";
import { type Check, note, ok, problem } from "../../doctor/check.js";

/** Slower ones make every run wait. */
const SLOW_MS = 5_000;

/** What was found of each server, and what to do about it. */
export function checkServers(servers: readonly InspectedServer[]): readonly Check[] {
  if (servers.length === 0) return [ok("MCP servers", "the config has none")];
  return servers.flatMap((server): readonly Check[] => {
    const { report, startMs, warnings, stderr } = server;
    if (report.state === "failed") {
      const lines = stderr.length === 0 ? "" : ` It wrote: ${stderr.join(" / ")}`;
      return [problem(report.name, `${report.error}.${lines}`, remedyOf(server))];
    }
    const found = `${report.tools} tools, ready in ${(startMs / 1000).toFixed(1)} s`;
    const slow =
      startMs > SLOW_MS
        ? [
            note(
              report.name,
              `it takes ${(startMs / 1000).toFixed(1)} s to start`,
              "Install it instead of having npx or uvx fetch it for each run.",
            ),
          ]
        : [];
    return [
      ok(report.name, found),
      ...slow,
      ...unpinned(server),
      ...warnings.map((warning) => note(report.name, warning, "Compare its entry in the config with: massgen mcp tools")),
    ];
  });
}

/** What is fetched anew may be another program tomorrow. */
function unpinned({ config, report }: InspectedServer): readonly Check[] {
  if (config.transport.kind === "http") return [];
  const [program = "", ...args] = config.transport.argv;
  if (!/(?:^|\/)(?:npx|uvx|bunx)$/.test(program)) return [];
  const named = args.find((arg) => !arg.startsWith("-"));
  if (named === undefined || /.@|==/.test(named)) return [];
  return [
    note(
      report.name,
      `${named} is fetched in whatever version is newest`,
      `Name one: ${named}${program.endsWith("uvx") ? "==" : "@"}<version>`,
    ),
  ];
}

function remedyOf({ config, report: { error } }: InspectedServer): string {
  if (error === null) return "See its documentation.";
  if (error.includes("there is no program")) return "Install it, or write its full path as command.";
  if (error.includes("wants a login")) return `Log in with: massgen mcp login ${config.name}`;
  if (error.includes("connect_timeout")) return "Start it by hand to see what it waits for, or raise connect_timeout.";
  if (error.includes("cannot be reached")) return "See that it runs, and that url names its host and port.";
  if (error.includes("security.")) return "Change its security section if that is meant.";
  return config.transport.kind === "stdio"
    ? `Start it by hand: ${config.transport.argv.join(" ")}. Variables it needs go into its env.`
    : "See that url names its endpoint, and headers what it wants.";
}

import type { Estimate, Forecast, MissingKey, Range } from "@massgen/sdk";
import { formatDuration } from "@massgen/views";
import { cells, wrap } from "./columns.js";
import { escapedLine, visibleLine } from "./visible-text.js";

export interface DryRunReport {
  readonly forecast: Forecast;
  /** Of this run, to stand-ins. */
  readonly calls: number;
  readonly missingKeys: readonly MissingKey[];
  /** What a real run would go on without, and where this one was not what the config says. */
  readonly warnings: readonly string[];
  /** Absolute; `null` for a team without a file. */
  readonly config: string | null;
  readonly logDirectory: string | null;
}

/** What a run with real models will take, for people. */
export function forecastLines({ forecast, missingKeys, warnings }: DryRunReport, width: number): string {
  const rows = [
    ["", "model", "calls", "tokens in", "tokens out", "cost", "time"],
    ...forecast.agents.map((agent) => [visibleLine(agent.id), visibleLine(agent.model), ...columnsOf(agent)]),
    ...(forecast.agents.length === 1 ? [] : [["all", "", ...columnsOf(forecast.total)]]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => cells(row[column]!))));
  const line = (row: readonly string[]): string => row.map((cell, column) => cell + " ".repeat(widths[column]! - cells(cell))).join("  ");
  const lines = [
    "",
    "Forecast (simulated: no model was asked, nothing was paid)",
    ...rows.map((row) => `  ${line(row)}`.trimEnd()),
    "",
    ...forecast.assumptions.flatMap((text) => wrap(text, Math.max(40, width - 1))),
    "What you saw was shortened; the times above are at the speed at which models write.",
    ...missingKeys.map((key) => `A real run needs a key for ${visibleLine(key.agent)}: ${wayOut(key)}.`),
    ...warnings.flatMap((text) => wrap(`With a warning, which stops no run: ${visibleLine(text)}`, Math.max(40, width - 1))),
  ];
  return lines.map((text) => `${text}\n`).join("");
}

const wayOut = ({ variables }: MissingKey): string => (variables.length === 0 ? "backend.api_key" : variables.join(" or "));

const columnsOf = ({ calls, inputTokens, outputTokens, costUsd, wallMs }: Estimate): readonly string[] => [
  span(calls, (value) => String(Math.round(value))),
  span(inputTokens, tokens),
  span(outputTokens, tokens),
  costUsd === null ? "unknown" : span(costUsd, dollars),
  span(wallMs, duration),
];

/** `3–12`; one value where both ends look alike. */
function span({ low, high }: Range, format: (value: number) => string): string {
  const [from, to] = [format(low), format(high)];
  return from === to ? from : `${from}–${to}`;
}

/** Two digits: a forecast does not know more. */
function tokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  return count < 1_000_000 ? `${short(count / 1000)}k` : `${short(count / 1_000_000)}M`;
}

const short = (value: number): string => (value < 10 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value)));

function dollars(usd: number): string {
  if (usd === 0) return "$0";
  if (usd < 0.01) return "<$0.01";
  return usd < 10 ? `$${usd.toFixed(2)}` : `$${Math.round(usd)}`;
}

const duration = (ms: number): string =>
  formatDuration(ms < 60_000 ? Math.max(1000, Math.round(ms / 1000) * 1000) : Math.round(ms / 60_000) * 60_000).replace(".0 s", " s");

/** The same for scripts: `KEY: value`, ranges as `low-high`, an unknown cost as `unknown`. */
export function forecastPairs({ forecast, missingKeys, warnings }: DryRunReport): string {
  const pairs = (prefix: string, { calls, inputTokens, outputTokens, costUsd, wallMs }: Estimate): readonly string[] => [
    `${prefix}_CALLS: ${plain(calls, 0)}`,
    `${prefix}_TOKENS_IN: ${plain(inputTokens, 0)}`,
    `${prefix}_TOKENS_OUT: ${plain(outputTokens, 0)}`,
    `${prefix}_COST_USD: ${costUsd === null ? "unknown" : plain(costUsd, 4)}`,
    `${prefix}_SECONDS: ${plain({ low: wallMs.low / 1000, high: wallMs.high / 1000 }, 0)}`,
  ];
  const lines = [
    "",
    ...pairs("SIMULATED_FORECAST", forecast.total),
    ...forecast.agents.flatMap((agent) => [`SIMULATED_FORECAST_AGENT: ${escapedLine(agent.id)}`, ...pairs("  SIMULATED", agent)]),
    ...missingKeys.map((key) => `SIMULATED_MISSING_KEY: ${escapedLine(key.agent)} ${wayOut(key)}`),
    ...warnings.map((text) => `SIMULATED_WARNING: ${escapedLine(text)}`),
  ];
  return lines.map((text) => `${text}\n`).join("");
}

const plain = ({ low, high }: Range, digits: number): string => `${low.toFixed(digits)}-${high.toFixed(digits)}`;

/** The one object of `--dry-run --json`. */
export function dryRunJson({ forecast, calls, missingKeys, warnings, config, logDirectory }: DryRunReport): object {
  return {
    simulated: true,
    ok: true,
    config,
    log_dir: logDirectory,
    warnings,
    calls,
    missing_keys: missingKeys,
    forecast: {
      total: estimateJson(forecast.total),
      agents: forecast.agents.map((agent) => ({ id: agent.id, model: agent.model, ...estimateJson(agent) })),
      assumptions: forecast.assumptions,
    },
  };
}

const estimateJson = ({ calls, inputTokens, outputTokens, costUsd, wallMs }: Estimate): object => ({
  calls: whole(calls),
  input_tokens: whole(inputTokens),
  output_tokens: whole(outputTokens),
  cost_usd: costUsd === null ? null : { low: Number(costUsd.low.toFixed(6)), high: Number(costUsd.high.toFixed(6)) },
  wall_seconds: whole({ low: wallMs.low / 1000, high: wallMs.high / 1000 }),
});

const whole = ({ low, high }: Range): Range => ({ low: Math.round(low), high: Math.round(high) });

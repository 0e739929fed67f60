import type { FinishedRun } from "@massgen/sdk";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Figures for Prometheus, of this server alone. */
export interface Metrics {
  answered(route: string, status: number, seconds: number): void;
  ended(run: Pick<FinishedRun, "status" | "usage" | "durationMs">): void;
  text(): Promise<string>;
  readonly contentType: string;
}

const REQUEST_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1800];
const RUN_SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1800];

export function openMetrics(activeRuns: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "massgen_http_requests_total",
    help: "Requests answered, by route and status.",
    labelNames: ["route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "massgen_http_request_duration_seconds",
    help: "Time from a request to the end of its reply, seconds.",
    labelNames: ["route"],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const runs = new Counter({ name: "massgen_runs_total", help: "Runs that ended, by status.", labelNames: ["status"], registers });
  const runDurations = new Histogram({
    name: "massgen_run_duration_seconds",
    help: "Wall time of a run, seconds.",
    buckets: RUN_SECONDS,
    registers,
  });
  const tokens = new Counter({
    name: "massgen_tokens_total",
    help: "Tokens of all models, by direction.",
    labelNames: ["direction"],
    registers,
  });
  const cost = new Counter({ name: "massgen_cost_usd_total", help: "US dollars, where prices are known.", registers });
  new Gauge({
    name: "massgen_runs_active",
    help: "Runs under way.",
    registers,
    collect() {
      this.set(activeRuns());
    },
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    answered(route, status, seconds) {
      requests.inc({ route, status: String(status) });
      durations.observe({ route }, seconds);
    },
    ended({ status, usage, durationMs }) {
      runs.inc({ status });
      runDurations.observe(durationMs / 1000);
      tokens.inc({ direction: "input" }, usage.promptTokens);
      tokens.inc({ direction: "output" }, usage.completionTokens);
      if (usage.estimatedCost !== null) cost.inc(usage.estimatedCost);
    },
  };
}

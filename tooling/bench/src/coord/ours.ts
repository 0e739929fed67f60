import type { PolicyOptions } from "@massgen/core";
import { playOverWire } from "../fake-vendor/play-over-wire.js";
import type { Benchmark } from "../harness/benchmark.js";
import { counted, type Metric } from "../harness/metric.js";
import { type CoordFigures, figuresOf } from "./figures.js";
import { idealOf } from "./floor.js";
import { playVirtually } from "./play-virtually.js";
import { type Scenario, scenarios, wireScenarios } from "./scenarios.js";

export type Order = "default" | "eager" | "impatient" | "capped" | "lead 1";

/** How the orders that the configuration offers differ. */
const ORDERS: Readonly<Record<Order, PolicyOptions>> = {
  default: {},
  eager: { deferVotingUntilAllAnswered: false },
  impatient: { stragglerPatience: 0 },
  /** Three answers an agent: the kernel knows who may only vote. */
  capped: { maxAnswersPerAgent: 3 },
  "lead 1": { fairnessLeadCap: 1 },
};

type Targets = Pick<Scenario, "must" | "aim">;
const NO_TARGETS: Targets = { must: {}, aim: {} };

export const coord: Benchmark = {
  name: "coord",
  kind: "counted",
  async run({ wants }) {
    const metrics: Metric[] = [];
    for (const scenario of scenarios.filter(({ name }) => wants(`coord.${name}`))) {
      for (const order of ordersOf(scenario)) {
        const figures = await measureScenario(scenario, order);
        metrics.push(...toMetrics(scenario, order === "default" ? "" : order, figures, targetsOf(scenario, order)));
      }
    }
    for (const scenario of wireScenarios.filter(({ name }) => wants(`coord.${name}`))) {
      const figures = await measureOverWire(scenario);
      // A dead vendor's targets count calls, not the requests the adapter repeats by itself.
      metrics.push(...toMetrics(scenario, "over the wire", figures, scenario.name.startsWith("dead-") ? NO_TARGETS : scenario));
    }
    return metrics;
  },
};

/** @throws Error when the run does not complete: then its figures would mean nothing. */
export async function measureScenario(scenario: Scenario, order: Order): Promise<CoordFigures> {
  return figuresIn(scenario, order, await playVirtually(scenario.team, ORDERS[order]));
}

/** The same through adapter and SDK. */
export async function measureOverWire(scenario: Scenario): Promise<CoordFigures> {
  return figuresIn(scenario, "over the wire", await playOverWire(scenario.team));
}

function figuresIn(scenario: Scenario, how: string, run: Awaited<ReturnType<typeof playVirtually>>): CoordFigures {
  if (run.status !== "completed") throw new Error(`Scenario ${scenario.name} (${how}) ended as ${run.status}.`);
  return figuresOf(run.calls, run.facts, idealOf(scenario));
}

function ordersOf({ name }: Scenario): readonly Order[] {
  if (name.startsWith("slow-")) return ["default", "eager", "impatient"];
  return name.startsWith("storm-") ? ["default", "eager", "capped", "lead 1"] : ["default", "eager"];
}

/** Targets are for the default order; impatience is after half of the ideal, which waits for everybody. */
function targetsOf({ must, aim }: Scenario, order: Order): Targets {
  if (order === "default") return { must, aim };
  return order === "impatient" ? { must: {}, aim: { path: 0.5 } } : NO_TARGETS;
}

function toMetrics(scenario: Scenario, variant: string, figures: CoordFigures, { must, aim }: Targets): readonly Metric[] {
  const name = (metric: string, unit: string) => ({ bench: `coord.${scenario.name}`, variant, metric, unit });
  const ideal = idealOf(scenario);
  return [
    counted(name("path", "ms"), { ours: figures.pathMs, floor: ideal.pathMs }, { must: must.path ?? null, aim: aim.path ?? null }),
    counted(name("calls", ""), { ours: figures.calls, floor: ideal.calls }, { must: must.calls ?? null, aim: aim.calls ?? null }),
    counted(name("waste", "%"), { ours: figures.waste * 100 }, { must: percent(must.waste), aim: percent(aim.waste) }),
    counted(name("idle", "ms"), { ours: figures.idleMs }),
  ];
}

const percent = (share: number | undefined): number | null => (share === undefined ? null : share * 100);

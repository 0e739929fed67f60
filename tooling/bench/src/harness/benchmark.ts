import type { PairOptions } from "./measure-pairs.js";
import type { Result } from "./metric.js";

export interface BenchmarkOptions {
  /** One tiny pass. */
  readonly quick: boolean;
  readonly pairs: PairOptions;
  /** Peers that are not installed are, from the network. */
  readonly peers: boolean;
  /** Whether a figure of this name was asked for: what takes long need not be measured to be thrown away. */
  wants(bench: string): boolean;
}

export interface Benchmark {
  /** The family, `coord` or `start`: what `pnpm bench <name>` selects, besides the names of its figures. */
  readonly name: string;
  /** Counted benchmarks are exact and a missed must fails the command; timed ones never do. */
  readonly kind: "counted" | "timed";
  run(options: BenchmarkOptions): Promise<readonly Result[]>;
}

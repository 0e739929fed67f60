import type { Benchmark } from "./benchmark.js";

/** `start` selects a family, `start.version` one of its benchmarks; no names select everything. */
export function selectBenchmarks(all: readonly Benchmark[], names: readonly string[]): readonly Benchmark[] {
  const unknown = names.filter((name) => !all.some((benchmark) => benchmark.name === familyOf(name)));
  if (unknown.length > 0)
    throw new RangeError(`There is no benchmark ${unknown.join(", ")}. There are: ${all.map((benchmark) => benchmark.name).join(", ")}.`);
  return names.length === 0 ? all : all.filter((benchmark) => names.some((name) => familyOf(name) === benchmark.name));
}

/** Whether a figure was asked for by these names; without any, all are. */
export function isWanted(bench: string, names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => bench === name || bench.startsWith(`${name}.`));
}

const familyOf = (name: string): string => name.split(".", 1)[0]!;

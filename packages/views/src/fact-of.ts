import type { CoordinationEvent } from "@massgen/contracts";

/**
 * The fact with the type `T`. `Extract` does not do: some members of the union carry several types
 * (`fairness_pause` and `fairness_resume` have the same fields).
 */
export type FactOf<T extends CoordinationEvent["type"]> = CoordinationEvent extends infer Fact
  ? Fact extends { readonly type: infer Types }
    ? T extends Types
      ? Fact & { readonly type: T }
      : never
    : never
  : never;

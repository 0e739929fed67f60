import type { CoordinationEvent } from "@massgen/contracts";
import type { RunState } from "@massgen/kernel";
import type { FactOf } from "@massgen/views";
import type { Paint } from "../paint.js";

/** One fact in words, before it is laid out. Foreign text in it is already harmless. */
export interface Block {
  /** Whose doing it is; `null` for the run's own. */
  readonly who: string | null;
  readonly tone: keyof Paint;
  readonly text: string;
  /** Text of a model that belongs to it: shown below it, or cut on the same line. */
  readonly quote: string | null;
  /** `detail`: the live area says it anyway, so only displays without one write it. `brief`: one row on a screen is enough. */
  readonly weight: "fact" | "brief" | "detail";
}

export type Teller = { readonly [T in CoordinationEvent["type"]]?: (fact: FactOf<T>, run: RunState) => Block | null };

export const block = (who: string | null, tone: keyof Paint, text: string, more: Partial<Pick<Block, "quote" | "weight">> = {}): Block => ({
  who,
  tone,
  text,
  quote: more.quote ?? null,
  weight: more.weight ?? "fact",
});

import type { CoordinationEvent } from "@massgen/contracts";
import type { FactOf } from "./fact-of.js";
import type { RunView } from "./run-view.js";

/** A sentence for every fact; `null` for what only reports. The view is the one after the fact. */
export type Describe = { readonly [T in CoordinationEvent["type"]]: (fact: FactOf<T>, view: RunView) => string | null };

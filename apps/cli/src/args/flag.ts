/** What a flag's value must look like. A choice list is matched exactly. */
export type ValueKind = "text" | "positive-integer" | "port" | { readonly choices: readonly string[] };

export interface Flag {
  readonly name: `--${string}`;
  /** A second spelling: a short flag or an older name. */
  readonly alias?: `-${string}`;
  /** `null` for a switch. `optional`: the flag may stand alone. */
  readonly value: { readonly name: string; readonly kind: ValueKind; readonly optional?: true } | null;
  /** Heading under which the help lists it. */
  readonly section: string;
  /** `known`: belongs to a feature that is not built; named by the user, it is an error and never ignored. */
  readonly status: "built" | "known";
  readonly help: string;
  /** May be given several times. */
  readonly repeatable?: true;
  /** Commands that take it besides the bare question. */
  readonly commands?: readonly string[];
}

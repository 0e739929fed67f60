export interface CommandEntry {
  readonly name: string;
  /** How its arguments are written in the help. */
  readonly usage: string;
  readonly status: "built" | "known";
  readonly help: string;
  /** What its own help says; missing where there is none. */
  readonly about?: {
    readonly intro: string;
    /** What stands behind its name on the line of usage; default: as in the list of commands. */
    readonly usage?: string;
    readonly operand: readonly [name: string, help: string] | null;
    readonly examples: readonly string[];
  };
}

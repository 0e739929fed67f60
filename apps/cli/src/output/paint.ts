import picocolors from "picocolors";

/** Colours by meaning. They never say anything that the words beside them do not say. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly answer: (text: string) => string;
  readonly vote: (text: string) => string;
  readonly winner: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly failure: (text: string) => string;
}

export function createPaint(coloured: boolean): Paint {
  const colours = picocolors.createColors(coloured);
  return {
    strong: colours.bold,
    faint: colours.dim,
    answer: colours.cyan,
    vote: colours.magenta,
    winner: (text) => colours.bold(colours.green(text)),
    warning: colours.yellow,
    failure: colours.red,
  };
}

/** Whether to write colours: `NO_COLOR` forbids, `FORCE_COLOR` demands, else a terminal that is not dumb has them. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const force = env["FORCE_COLOR"];
  if (force !== undefined) return force !== "0" && force !== "false";
  return isTerminal && env["TERM"] !== "dumb";
}

import type { Io } from "./io.js";

/** Whether somebody can be asked: both ends are a terminal that can move its cursor. */
export const canAsk = ({ stdinIsTerminal, out, env }: Pick<Io, "stdinIsTerminal" | "out" | "env">): boolean =>
  stdinIsTerminal && out.isTerminal && env["TERM"] !== "dumb";

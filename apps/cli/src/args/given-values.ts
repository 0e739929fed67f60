import type { Flag } from "./flag.js";
import type { Given } from "./program.js";

/** The last value of a flag that takes a text; `null` without one. */
export const textOf = (given: Given, name: Flag["name"]): string | null => {
  const value = given.get(name)?.at(-1);
  return typeof value === "string" ? value : null;
};

/** The last value of a flag that takes a number; `null` without one. */
export const numberOf = (given: Given, name: Flag["name"]): number | null => {
  const value = given.get(name)?.at(-1);
  return typeof value === "number" ? value : null;
};

import { sep } from "node:path";

/** Invisible characters that some volumes and most eyes pass over. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The names of a path, without the separators. */
export const namesOf = (path: string): readonly string[] => path.split(sep).filter((name) => name !== "");

/** A name as the laxest volume would see it. For refusals only: a match can only forbid. */
export function foldName(name: string): string {
  return (
    name
      .normalize("NFKC")
      .replace(IGNORABLE, "")
      .toLowerCase()
      .replace(/[. ]+$/, "") || name
  );
}

/** A name as its own volume compares it. */
export function sameAs(name: string, foldsCase: boolean): string {
  const composed = name.normalize("NFC");
  return foldsCase ? composed.toLowerCase() : composed;
}

/** The names below `base`, empty for `base` itself, or `null` when the path is not there. Whole names, so `/ws/a` does not hold `/ws/ab`. */
export function below(base: string, path: string, foldsCase = false): readonly string[] | null {
  const outer = namesOf(base);
  const inner = namesOf(path);
  const equal = (a: string, b: string | undefined): boolean =>
    b !== undefined && (a === b || (foldsCase && sameAs(a, true) === sameAs(b, true)));
  return outer.every((name, index) => equal(name, inner[index])) ? inner.slice(outer.length) : null;
}

import { pathToFileURL } from "node:url";

/** Runs a module file and gives what it exports. TypeScript goes through jiti, which loads late: most runs have none. */
export async function importModule(file: string): Promise<unknown> {
  if (!/\.m?ts$/.test(file)) return import(pathToFileURL(file).href);
  // The entry that names its compiler as an import: a bundle of this package holds it too.
  const { createJiti } = await import("jiti/static");
  return createJiti(pathToFileURL(file).href, { fsCache: false }).import(file);
}

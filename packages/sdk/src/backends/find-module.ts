import { findFile, findPackage } from "@massgen/tools/modules";

/** The file that a type stands for: a path from one of the folders, or a package installed at or above one; `null` when there is none. */
export const findModule = (type: string, folders: readonly string[]): Promise<string | null> =>
  /^\.{0,2}\//.test(type) ? findFile(type, folders) : findPackage(type.replace(/^npm:/, ""), folders);

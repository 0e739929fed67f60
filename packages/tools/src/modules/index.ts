export { findFile, findModule, findPackage } from "./find-module.js";
export { importModule } from "./import-module.js";

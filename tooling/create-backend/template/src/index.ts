export { createBackend, createParrot } from "./create.js";
export type { ParrotOptions } from "./options.js";

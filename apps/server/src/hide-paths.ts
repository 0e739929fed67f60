import type { ServerOptions } from "./options.js";

/** Clients need not know where things lie on the server: takes its folders out of a text. */
export const pathsHider =
  ({ cwd, home }: Pick<ServerOptions, "cwd" | "home">) =>
  (text: string): string =>
    text.replaceAll(`${cwd}/`, "").replaceAll(cwd, ".").replaceAll(home, "~");

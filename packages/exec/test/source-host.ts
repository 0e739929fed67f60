import { fileURLToPath } from "node:url";

/** Where a program must start to find this package by its name. */
export const exec: string = fileURLToPath(new URL("..", import.meta.url));

/** Arguments of Node before a program given as text, which then sees the sources. */
export const sourceHost: readonly string[] = ["--conditions=@massgen/source", "--import", "tsx", "--input-type=module", "-e"];

import { findContainerTool, findSandbox } from "@massgen/exec";
import type { Io } from "../io.js";

/** What commands of agents can be kept in, on this machine. */
export interface Walls {
  readonly sandbox: boolean;
  readonly container: boolean;
}

export async function findWalls({ env }: Pick<Io, "env">, home: string): Promise<Walls> {
  const [sandbox, container] = await Promise.all([
    findSandbox({ platform: process.platform, path: env["PATH"] ?? "", hostHome: home }),
    findContainerTool({ host: env }),
  ]);
  return { sandbox: sandbox.found, container: container.found };
}

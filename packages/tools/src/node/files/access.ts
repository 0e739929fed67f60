import { isAbsolute, relative, sep } from "node:path";
import type { AgentId, PathOp, PermissionPolicy } from "@massgen/contracts";
import { MassgenError } from "@massgen/contracts";
import { Refusal, refuse } from "./refusal.js";

/** A path that may be used for one thing: as the agent wrote it, and as it is without links. */
export interface Place {
  readonly asked: string;
  readonly real: string;
}

/** What one agent may touch, asked again at every use: between the dispatcher's look and now a link may have moved. */
export interface Access {
  /** The real path of the agent's workspace. */
  readonly root: string;
  /** The place of a path the agent wrote. Throws the policy's refusal. */
  locate(op: PathOp, asked: string): Promise<Place>;
  /** Whether something found while walking may be touched. `real` has no links in it. */
  mayUse(op: PathOp, real: string): Promise<boolean>;
  /**
   * Whether the name of something found while walking may be shown: also of a link that leads out, and of a name no
   * path may have, which are seen and not used.
   */
  maySee(real: string): Promise<boolean>;
  /** Throws the refusal instead. */
  demand(op: PathOp, real: string): Promise<void>;
  isInWorkspace(real: string): boolean;
}

export function createAccess(agent: AgentId, policy: PermissionPolicy, root: string): Access {
  const demand = async (op: PathOp, path: string): Promise<void> => {
    const verdict = await policy.decide(agent, [{ kind: "path", op, path }]);
    if (verdict.type !== "allow") throw new Refusal(verdict.rule, verdict.reason);
  };
  return {
    root,
    locate: async (op, asked) => {
      await demand(op, asked);
      const { lexical, real } = await policy.resolve(agent, op, asked).catch(asRefusal);
      // Resolved twice, it may have led to two places: what is used is judged by itself.
      if (real !== asked || real !== lexical) await demand(op, real);
      return { asked, real };
    },
    mayUse: async (op, real) => (await policy.decide(agent, [{ kind: "path", op, path: real }])).type === "allow",
    maySee: async (real) => {
      const verdict = await policy.decide(agent, [{ kind: "path", op: "stat", path: real }]);
      return verdict.type === "allow" || /^(?:SYMLINK_ESCAPE|INVALID_PATH)\b/.test(verdict.rule);
    },
    demand,
    isInWorkspace: (real) => isInside(root, real),
  };
}

/** Whether `path` is `folder` or beneath it. Both absolute and normalised. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function asRefusal(error: unknown): never {
  if (MassgenError.is(error)) throw new Refusal(error.code, error.message, { cause: error });
  if (error instanceof Error) return refuse("PATH_OUTSIDE", `The path could not be checked: ${error.message}`, error);
  throw error;
}

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AgentId, PermissionPolicy, PolicyVerdict } from "@massgen/contracts";
import type { ContextPath, Policy } from "@massgen/policy";
import type { KeptChanges, Stage, Workspaces } from "@massgen/workspace";

export interface StagingOptions {
  readonly contexts: readonly ContextPath[];
  readonly workspaces: Pick<Workspaces, "makePrivateFolder">;
  /** Where changes are kept until they are delivered; outlives the run. */
  readonly keptIn: string;
  /** Who has no competitors works in the copies from its first call on. */
  readonly lone: AgentId | null;
  /** Somebody is to be asked before changes are delivered. */
  readonly askFirst: boolean;
}

/** Copies of the context paths that the presenter writes to: what it does to them is delivered later, or not. */
export interface Staging {
  /** The context paths, with what stands in for those that may be written. */
  readonly contexts: readonly ContextPath[];
  readonly standIns: readonly { readonly path: string; readonly source: string }[];
  /** Who may write is asked with the rules of the paths themselves. Once, before anything else. */
  judgeBy(policy: Policy): void;
  /** A conversation begins in which `agent` may write: what was done to the copies before is forgotten. */
  begin(agent: AgentId): void;
  /** Which presentation this is, from 0. */
  presentation(): number;
  /** Makes the copies when they are first needed. Rejects when they cannot be made. */
  ready(): Promise<void>;
  /** Keeps the changes as they are, when it is `agent` who makes them: they survive the end of the program. */
  keep(agent: AgentId): Promise<void>;
  /**
   * What is to be delivered; `null` when nothing was changed. `isWhole` is false for changes of somebody who did not come to
   * an end.
   */
  result(isPresented: boolean): Promise<{ readonly kept: KeptChanges; readonly isWhole: boolean } | null>;
}

export async function createStaging(options: StagingOptions): Promise<Staging> {
  const { contexts, workspaces, keptIn, lone, askFirst } = options;
  const { copyOf, forgetChanges, openStage, readKeptChanges } = await import("@massgen/workspace");
  const writable = contexts.filter(({ permission }) => permission === "write").map(({ path }) => path);
  const dir = await workspaces.makePrivateFolder();
  const standIns = writable.map((path, index) => ({ path, source: copyOf(dir, index, path) }));
  const copyFor = new Map(standIns.map(({ path, source }) => [path, source]));
  let policy: Policy | null = null;
  let presenter = lone;
  let stage: Promise<Stage> | null = null;
  let isKept = false;
  let presentation = 0;
  /** Kept by a process that died over it. */
  let isLeftover = readKeptChanges(keptIn) !== null;

  async function open(): Promise<Stage> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true, force: true });
    return openStage({ paths: writable, dir, mayWrite });
  }

  async function mayWrite(path: string, kind: "added" | "modified" | "deleted"): Promise<boolean> {
    if (policy === null || presenter === null) return false;
    const op = { added: "create", modified: "write", deleted: "delete" } as const;
    return (await policy.forPresentation(presenter).decidePath(presenter, op[kind], path)).verdict.type === "allow";
  }

  function drop(): void {
    forgetChanges(keptIn, null);
    isKept = false;
    isLeftover = false;
  }

  async function write(): Promise<KeptChanges> {
    const kept = await (await stage!).keep(keptIn, { askFirst });
    isKept = true;
    return kept;
  }

  return {
    contexts: contexts.map((context) => {
      const standIn = copyFor.get(context.path);
      return context.permission !== "write" || standIn === undefined ? context : { ...context, standIn };
    }),
    standIns,
    judgeBy(own) {
      policy = own;
    },
    begin(agent) {
      // Alone, the rounds and what comes after them are one piece of work.
      if (lone !== null) return;
      presenter = agent;
      presentation += 1;
      stage = null;
      if (isLeftover) drop();
    },
    presentation: () => presentation,
    async ready() {
      stage ??= open();
      const opening = stage;
      await opening.catch((error: unknown) => {
        if (stage === opening) stage = null;
        throw error;
      });
    },
    async keep(agent) {
      if (agent !== presenter) return;
      if (stage === null) drop();
      else await write();
    },
    async result(isPresented) {
      const isWhole = isPresented && (isKept || stage === null);
      const kept = isWhole || stage === null ? readKeptChanges(keptIn) : await write();
      return kept === null || (kept.changes.length === 0 && kept.skipped.length === 0) ? null : { kept, isWhole };
    },
  };
}

/**
 * The policy of a run whose presenter works in copies. Tools of others know nothing of copies: for them the paths themselves
 * count, and these nobody writes.
 */
export function stagedPolicy({ staged, plain }: StagedPolicies, staging: Staging): PermissionPolicy {
  const decide =
    (own: Policy): PermissionPolicy["decide"] =>
    async (agent, effects, origin) =>
      origin === undefined || origin === "builtin" ? own.decide(agent, effects) : elsewhere(await plain.decide(agent, effects));
  return {
    resolve: (agent, op, path) => staged.resolve(agent, op, path),
    decide: decide(staged),
    forPresentation(agent) {
      staging.begin(agent);
      const presenting = whenReady(staged.forPresentation(agent), staging);
      return { ...presenting, decide: decide(presenting) };
    },
  };
}

export interface StagedPolicies {
  /** With copies in the place of what may be written. */
  readonly staged: Policy;
  /** With the paths themselves, which nobody writes before the presentation. */
  readonly plain: Policy;
}

/** A policy that is asked when the copies are there. */
export function whenReady(policy: Policy, staging: Staging): Policy {
  return {
    async decidePath(agent, op, path) {
      await staging.ready();
      return policy.decidePath(agent, op, path);
    },
    async roots(agent) {
      await staging.ready();
      return policy.roots(agent);
    },
    async resolve(agent, op, path) {
      await staging.ready();
      return policy.resolve(agent, op, path);
    },
    async decide(agent, effects) {
      await staging.ready();
      return policy.decide(agent, effects);
    },
    forPresentation: (agent) => whenReady(policy.forPresentation(agent), staging),
  };
}

const elsewhere = (verdict: PolicyVerdict): PolicyVerdict =>
  verdict.type === "deny" && verdict.rule.startsWith("READ_ONLY")
    ? {
        ...verdict,
        reason: `${verdict.reason} This tool works on the files themselves, and only your own file tools and commands bring changes there.`,
      }
    : verdict;

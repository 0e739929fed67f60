import type { AgentId, PathOp, PermissionPolicy, PolicyVerdict, ResolvedPath, ToolEffect } from "@massgen/contracts";
import { MassgenError } from "@massgen/contracts";
import { type DecideUse, decideUses } from "./commands/decide-uses.js";
import { judgeCommand, rulesOf, surroundings } from "./commands/judge-command.js";
import type { AgentGrants, Root } from "./grants.js";
import { decidePath, type Place } from "./paths/decide-path.js";
import { type HardFloor, hardFloor } from "./paths/hard-floor.js";
import { lookUp } from "./paths/look-up.js";
import { openRoots } from "./paths/open-roots.js";
import { describeProblem, quote, type Refusal, refuse } from "./refusal.js";
import { judgeUrl } from "./urls/judge-url.js";

export interface PolicyOptions {
  /** An agent that is not here may touch nothing. */
  readonly agents: ReadonlyMap<AgentId, AgentGrants>;
  /** The person's home: where `~` leads and where credentials are expected; `null` when there is none. */
  readonly home: string | null;
  /** Default: this machine's. */
  readonly windows?: boolean;
}

/** A path after the decision; `place` is `null` when it was refused before it could be looked up. */
export interface PathDecision {
  readonly op: PathOp;
  readonly written: string;
  readonly verdict: PolicyVerdict;
  readonly place: Place | null;
}

export interface Policy extends PermissionPolicy {
  /** Looks a path up and decides, with what a tool needs to act on it safely: see `openWithin`. Never throws. */
  decidePath(agent: AgentId, op: PathOp, path: string): Promise<PathDecision>;
  /** Where the agent may work, in the order workspace, views, earlier turns, skills, context paths. */
  roots(agent: AgentId): Promise<readonly Root[]>;
  forPresentation(agent: AgentId): Policy;
}

const NOTHING: AgentGrants = { workspace: null };

/**
 * Decides what agents may touch. Looks at granted paths when they are first asked for, and at every other path each time:
 * what a link said a moment ago is not relied on.
 */
export function createPolicy(options: PolicyOptions): Policy {
  return policyFor(options, hardFloor(options.home), null);
}

function policyFor(options: PolicyOptions, floor: HardFloor, presenter: AgentId | null): Policy {
  const opened = new Map<AgentId, Promise<readonly Root[]>>();
  const grantsOf = (agent: AgentId): AgentGrants => options.agents.get(agent) ?? NOTHING;

  function roots(agent: AgentId): Promise<readonly Root[]> {
    const known = opened.get(agent);
    if (known !== undefined) return known;
    const opening = openRoots(grantsOf(agent), agent === presenter);
    opened.set(agent, opening);
    // A grant that cannot be looked at now is looked at again when it is next asked for.
    opening.catch(() => opened.delete(agent));
    return opening;
  }

  async function look(agent: AgentId, op: PathOp, path: string, written = path): Promise<PathDecision> {
    const asked = { op, written };
    const granted = await roots(agent);
    const syntax = { base: grantsOf(agent).workspace, home: options.home, windows: options.windows ?? process.platform === "win32" };
    const found = await lookUp(asked, path, syntax, granted);
    if (!found.ok) return { ...asked, verdict: found.refusal, place: null };
    return { ...asked, verdict: decidePath(asked, found.place, { roots: granted, floor }), place: found.place };
  }

  /** A policy that breaks denies (docs/spec/tools.md 7). */
  const decideOnPath = (agent: AgentId, op: PathOp, path: string, written?: string): Promise<PathDecision> =>
    look(agent, op, path, written).catch((error: unknown) => ({ op, written: written ?? path, verdict: failed(error), place: null }));

  async function decideCommand(agent: AgentId, argv: readonly string[], cwd: string): Promise<PolicyVerdict> {
    const grant = grantsOf(agent).commands;
    if (grant === undefined) return refuse("COMMAND_BLOCKED", "not_granted", "You cannot run commands here. Use the file tools.");
    const place = await decideOnPath(agent, "exec_cwd", cwd);
    if (place.verdict.type === "deny" || place.place === null) return place.verdict;
    const judged = judgeCommand(argv, place.place.real, rulesOf(grant), surroundings(await roots(agent), options.home));
    if (judged.verdict.type === "deny") return judged.verdict;
    const decide: DecideUse = async (op, path, written) => (await decideOnPath(agent, op, path, written)).verdict;
    return strictest([judged.verdict, ...(await decideUses(judged.uses, grant.home ?? null, decide))]);
  }

  async function decideOne(agent: AgentId, effect: ToolEffect): Promise<PolicyVerdict> {
    const grants = grantsOf(agent);
    switch (effect.kind) {
      case "path":
        return (await decideOnPath(agent, effect.op, effect.path)).verdict;
      case "command":
        return decideCommand(agent, effect.argv, effect.cwd);
      case "network":
        return grants.urls === undefined ? noNetwork() : judgeUrl(effect.url, grants.urls);
      case "external_write":
        return unconfined(grants, `It changes something outside of this run: ${quote(effect.what)}.`);
      default:
        return unconfined(grants, "It is not known what this call would touch.");
    }
  }

  return {
    decidePath: (agent, op, path) => decideOnPath(agent, op, path),
    roots,
    async resolve(agent, op, path): Promise<ResolvedPath> {
      const { place, verdict } = await look(agent, op, path);
      if (place !== null) return { lexical: place.lexical, real: place.real };
      throw new MassgenError("PATH_DENIED", verdict.type === "allow" ? verdict.rule : verdict.reason);
    },
    async decide(agent, effects): Promise<PolicyVerdict> {
      const verdicts = await Promise.all(effects.map((effect) => decideOne(agent, effect).catch(failed)));
      return strictest(verdicts);
    },
    forPresentation: (agent) => policyFor(options, floor, agent),
  };
}

const failed = (error: unknown): Refusal =>
  refuse(
    "POLICY_FAILED",
    null,
    `Access denied, because it could not be decided: ${describeProblem(error)}. Try another path or go on without it.`,
  );

const noNetwork = (): Refusal => refuse("URL_BLOCKED", "not_granted", "You have no network here. Go on with what you have.");

/** Calls that no rule of ours holds: what happens to them is up to the person. */
function unconfined({ unconfined: rule = "ask" }: AgentGrants, what: string): PolicyVerdict {
  if (rule === "deny") return refuse("UNKNOWN_EFFECT", null, `${what} The configuration forbids such calls. Go on without it.`);
  return rule === "allow" ? { type: "allow", rule: "unconfined" } : { type: "ask", rule: "unconfined", reason: what };
}

/** The first refusal, else the first question, else the first allowance; a call without effects touches nothing. */
function strictest(verdicts: readonly PolicyVerdict[]): PolicyVerdict {
  const of = (type: PolicyVerdict["type"]): PolicyVerdict | undefined => verdicts.find((verdict) => verdict.type === type);
  return of("deny") ?? of("ask") ?? of("allow") ?? { type: "allow", rule: "no_effect" };
}

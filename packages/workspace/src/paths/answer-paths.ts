import type { AnonId } from "@massgen/contracts";
import type { PathRule } from "./rewrite-paths.js";

/** Where one agent finds files. */
export interface AgentPaths {
  readonly anon: AnonId;
  /** All names of its workspace: as configured, with its links followed, inside of a container. */
  readonly workspace: readonly string[];
  /** Its copies of peers' files; `null` without any. */
  readonly view: string | null;
}

/**
 * How a viewer finds what answers name: every agent's workspace, and every agent's copies of peers, become the viewer's own
 * copies `<view>/agentN`. Of a peer whose files the viewer cannot see, and without a view, only `agentN` is left, so that no
 * name of an agent gets through in a path (docs/spec/coordination.md 1.4).
 */
export function pathsForViewer(agents: readonly AgentPaths[], viewer: AgentPaths | null, shown: ReadonlySet<AnonId>): readonly PathRule[] {
  const view = viewer?.view ?? null;
  return rulesFor(agents, (anon) => (view !== null && shown.has(anon) ? `${view}/${anon}` : anon), view ?? "peers");
}

/** How the user finds what the final answer names: the author's workspace is where it was delivered to, and peers are `agentN`. */
export function pathsForUser(agents: readonly AgentPaths[], author: AnonId, delivered: string): readonly PathRule[] {
  return rulesFor(agents, (anon) => (anon === author ? delivered : anon), "peers");
}

/** How answers are compared: all folders of files are one, whoever wrote and whoever copied. */
export const pathsForComparison = (agents: readonly AgentPaths[]): readonly PathRule[] =>
  rulesFor(agents, () => "/workspace", "/workspace");

function rulesFor(agents: readonly AgentPaths[], nameOf: (anon: AnonId) => string, peers: string): readonly PathRule[] {
  return agents.flatMap(({ anon, workspace, view }) => [
    ...workspace.map((from) => ({ from, to: nameOf(anon) })),
    ...(view === null
      ? []
      : [{ from: view, to: peers }, ...agents.map((peer) => ({ from: `${view}/${peer.anon}`, to: nameOf(peer.anon) }))]),
  ]);
}

import type { Environment, MassgenConfig } from "@massgen/config";
import type { AgentId, PermissionPolicy, RunId, SnapshotRef, ToolHandler, WorkspaceProvider } from "@massgen/contracts";
import type { Agent } from "@massgen/core";
import type { AgentEquipment } from "@massgen/views";
import type { KeptChanges } from "@massgen/workspace";
import type { AllowUnconfined } from "./allow-unconfined.js";
import type { PreviousTurn } from "./previous-turn.js";

export interface HandsOptions {
  readonly config: MassgenConfig;
  readonly runId: RunId;
  readonly env: Environment;
  /** Working directory of the run: relative paths and `.massgen` belong to it. */
  readonly cwd: string;
  readonly home: string;
  /** Files of earlier turns of the conversation. */
  readonly previousTurns?: readonly PreviousTurn[];
  /** Somebody is asked before the presenter's changes are delivered. */
  readonly asksFirst?: boolean;
  /** Default: nobody is there, and commands that cannot be confined are not run. */
  readonly allowUnconfined?: AllowUnconfined;
  readonly onWarning: (message: string) => void;
}

/** What one agent gets besides its model. */
export type AgentHands = Required<Pick<Agent, "tools" | "files" | "workspacePaths">>;

/** The files and commands of a run, open until closed. */
export interface Hands {
  /** `null` for an agent without files. */
  of(agent: AgentId): AgentHands | null;
  readonly workspaces: WorkspaceProvider;
  readonly permissions: PermissionPolicy;
  readonly pathsFor: (viewer: AgentId, author: AgentId, text: string) => string;
  /** What is in force and what is not, a sentence each, for the start of the run. */
  readonly notes: readonly string[];
  /** Values given to commands that must be in no log. */
  readonly secrets: readonly string[];
  /** What confines the commands of an agent, as `status.json` says it; `null` when it runs none. */
  confinedBy(agent: AgentId): string | null;
  /** Where its files are on this machine; `null` for an agent without files. */
  placesOf(agent: AgentId): AgentEquipment["workspacePaths"];
  /** Copies a version to a folder that is there. */
  copy(snapshot: SnapshotRef, folder: string): Promise<void>;
  /** Copies the presenter's files, or those of the answer that won, to `folder`. */
  deliver(presenter: AgentId, snapshot: SnapshotRef | null, folder: string): Promise<void>;
  /**
   * What was changed in the user's files and is to be delivered; `null` when nothing was. `isPresented`: somebody came to the
   * end of presenting it.
   */
  changes(isPresented: boolean): Promise<{ readonly kept: KeptChanges; readonly isWhole: boolean } | null>;
  /** Ends what still runs and lets the folders go. Idempotent. */
  close(): Promise<void>;
}

/** Where an agent's tools come from besides its own files and commands. */
export interface FurtherTools {
  readonly custom: readonly ToolHandler[];
  /** `null`: it has no servers. */
  readonly servers: (() => readonly ToolHandler[]) | null;
}

/** Its tools in a fixed order: those of its own files and commands, then the user's, then those of servers. */
export function withTools(agent: Agent, hands: AgentHands | null, { custom, servers }: FurtherTools): Agent {
  if (hands === null && custom.length === 0 && servers === null) return agent;
  const tools = [...(agent.tools ?? []), ...(hands?.tools ?? []), ...custom];
  return { ...agent, ...hands, tools, ...(servers === null ? {} : { changingTools: servers }) };
}

/** The tools of a conversation in which the agent may not yet write what is delivered, and of the one in which it may. */
export interface ToolPair {
  readonly working: ToolHandler;
  readonly presenting: ToolHandler;
}

/** One tool for the model: which of the pair serves a call is said by its conversation. */
export const byChannel = ({ working, presenting }: ToolPair): ToolHandler => ({
  ...working,
  run: (input, context) => (context.channel === "presentation" ? presenting : working).run(input, context),
});

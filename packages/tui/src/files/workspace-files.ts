import type { AgentId } from "@massgen/contracts";

/** One file of an agent's workspace, by its path in there. */
export interface WorkspaceFile {
  readonly path: string;
  readonly bytes: number;
}

/** What is in a workspace now. `isCut`: there is more than is listed. */
export interface WorkspaceListing {
  readonly files: readonly WorkspaceFile[];
  readonly isCut: boolean;
}

/** The beginning of a file; `text` is `null` where it holds none. */
export interface FilePreview {
  readonly text: string | null;
  readonly bytes: number;
  readonly isCut: boolean;
}

/** Looks into the workspaces of the run. Both reject with a sentence for the person. */
export interface WorkspaceFiles {
  /** In the order they are to be shown in; `null` for an agent without files. */
  list(agent: AgentId): Promise<WorkspaceListing | null>;
  read(agent: AgentId, path: string): Promise<FilePreview>;
}

/** What one asks for and gets a moment later. */
export type Awaited<T> =
  | { readonly is: "loading" }
  | { readonly is: "failed"; readonly message: string }
  | { readonly is: "there"; readonly value: T };

/** The workspace that is open on the screen. */
export interface FilesPanel {
  readonly agent: AgentId;
  readonly listing: Awaited<WorkspaceListing | null>;
  readonly open: { readonly path: string; readonly preview: Awaited<FilePreview> } | null;
}

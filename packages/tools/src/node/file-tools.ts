import { realpath } from "node:fs/promises";
import type { PermissionPolicy, ToolHandler, Workspace } from "@massgen/contracts";
import { MassgenError } from "@massgen/contracts";
import { createFileKnowledge, type FileKnowledge } from "@massgen/policy";
import { type AnyFileTool, type FileToolRules, fileHandler, type GrantedRoot } from "./file-tool.js";
import { createAccess } from "./files/access.js";
import { openResultFolder } from "./large-result.js";
import { defaultLimits, type FileToolLimits } from "./limits.js";
import { findRipgrep } from "./search/ripgrep.js";
import { compareDirectoriesTool } from "./tools/compare-directories.js";
import { compareFilesTool } from "./tools/compare-files.js";
import { copyFilesBatchTool } from "./tools/copy-files-batch.js";
import { copyPathTool } from "./tools/copy-path.js";
import { createDirectoryTool } from "./tools/create-directory.js";
import { deleteFilesBatchTool } from "./tools/delete-files-batch.js";
import { deletePathTool } from "./tools/delete-path.js";
import { editFileTool, multiEditTool } from "./tools/edit-file.js";
import { fileInfoTool } from "./tools/file-info.js";
import { globTool } from "./tools/glob.js";
import { grepTool } from "./tools/grep.js";
import { listDirectoryTool } from "./tools/list-directory.js";
import { listRootsTool } from "./tools/list-roots.js";
import { movePathTool } from "./tools/move-path.js";
import { readFileTool } from "./tools/read-file.js";
import { readManyFilesTool } from "./tools/read-many-files.js";
import { writeFileTool } from "./tools/write-file.js";

export interface FileToolOptions {
  /** The agent's workspace; relative paths start there, as the policy resolves them. */
  readonly workspace: Pick<Workspace, "root">;
  /** Asked at every call: a policy never changes, so entering presentation gives another one. */
  readonly policy: () => PermissionPolicy;
  /** What `list_roots` shows. */
  readonly roots: () => Promise<readonly GrantedRoot[]>;
  /** What the agent has read so far; one of its own by default. Cleared when the agent's conversation begins anew. */
  readonly knowledge?: FileKnowledge;
  /**
   * `full`; `read_only` without those that change files; `exchange` for a runtime that has file tools of its own: copy,
   * compare and delete. Default `full`.
   */
  readonly offer?: "full" | "read_only" | "exchange";
  readonly limits?: Partial<FileToolLimits>;
  readonly rules?: Partial<FileToolRules>;
  /** The ripgrep program, `null` to do without. Default: the one installed with this package. */
  readonly ripgrep?: string | null;
}

/**
 * The file tools of one agent, in a fixed order (docs/spec/tools.md 3.3). Each declares the paths it was given as its
 * effects, and asks the policy again when it uses them: a dispatcher that skips the policy is no way around it.
 */
export function createFileTools(options: FileToolOptions): readonly ToolHandler[] {
  const limits = { ...defaultLimits, ...options.limits };
  const rules = { readBeforeDelete: true, readBeforeOverwrite: true, mediaTool: null, ...options.rules };
  const knowledge = options.knowledge ?? createFileKnowledge(rules);
  const root = once(() => realpath(options.workspace.root).catch(noWorkspace(options.workspace.root)));
  const ripgrep = once(async () => (options.ripgrep === undefined ? findRipgrep() : options.ripgrep));
  const results = openResultFolder({ root, maxChars: limits.resultChars });

  const handlerOf = (tool: AnyFileTool): ToolHandler => {
    return fileHandler(tool, {
      startJob: async ({ agent, signal }) => ({
        access: createAccess(agent, options.policy(), await root()),
        ...{ knowledge, limits, rules, roots: options.roots, ripgrep, signal },
      }),
      finish: (output) => results.fit(tool.name, output, "head"),
    });
  };
  const reading = [
    handlerOf(readFileTool),
    handlerOf(readManyFilesTool),
    handlerOf(listDirectoryTool),
    handlerOf(globTool),
    handlerOf(grepTool),
    handlerOf(fileInfoTool),
  ];
  const comparing = [handlerOf(compareFilesTool), handlerOf(compareDirectoriesTool), handlerOf(listRootsTool)];
  const writing = [
    handlerOf(writeFileTool),
    handlerOf(editFileTool),
    handlerOf(multiEditTool),
    handlerOf(createDirectoryTool),
    handlerOf(movePathTool),
  ];
  const copying = [handlerOf(copyPathTool), handlerOf(copyFilesBatchTool)];
  const deleting = [handlerOf(deletePathTool), handlerOf(deleteFilesBatchTool)];
  switch (options.offer ?? "full") {
    case "read_only":
      return [...reading, ...comparing];
    case "exchange":
      return [...copying, ...comparing, ...deleting];
    default:
      return [...reading, ...writing, ...copying, ...comparing, ...deleting];
  }
}

/** Asked once, answered always; a failure is asked again. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = null;
      throw error;
    });
    return answer;
  };
}

const noWorkspace =
  (root: string) =>
  (cause: unknown): never => {
    throw new MassgenError("PATH_DENIED", `The workspace ${root} cannot be opened.`, {
      cause,
      hint: "Create it before the tools are used.",
    });
  };

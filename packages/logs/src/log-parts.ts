import type { AgentId, Clock } from "@massgen/contracts";
import type { AgentEquipment, McpServersReport } from "@massgen/views";
import type { MetadataInput } from "./artefacts/metadata.js";
import type { StepFolders } from "./files/step-folders.js";
import type { GitInfo } from "./git-info.js";
import type { ZoneOffset } from "./local-time.js";
import type { Redactor } from "./redact/redactor.js";

/** What all files of a run's log are made with. */
export interface LogParts {
  readonly folders: StepFolders;
  readonly redactor: Redactor;
  readonly zone: ZoneOffset;
  readonly clock: Clock;
  readonly debug: boolean;
  readonly git: Promise<GitInfo | null>;
  readonly metadata: Omit<MetadataInput, "git" | "end" | "attempt" | "planning"> & {
    readonly equipment: ReadonlyMap<AgentId, AgentEquipment>;
  };
  /** 1: the files stand in the folder of the run itself. */
  readonly maxAttempts: number;
  /** The MCP servers of each agent as they last reported. */
  readonly mcpServers: ReadonlyMap<AgentId, McpServersReport>;
}

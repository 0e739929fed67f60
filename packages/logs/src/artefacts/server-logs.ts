import type { AgentId, Clock } from "@massgen/contracts";
import type { FileSink } from "../files/file-sink.js";
import type { StepFolders } from "../files/step-folders.js";
import { isoTime, type ZoneOffset } from "../local-time.js";
import type { Redactor } from "../redact/redactor.js";

export interface ServerLogs {
  add(agent: AgentId, server: string, line: string): void;
}

const LARGEST_FILE = 10 * 1024 * 1024;

/**
 * `mcp/<agent>_<server>.log`: what a server wrote to standard error, and what was noticed of it. At 10 MiB a file is put
 * aside as `….1.log` and begun again, so that a server that talks without end fills no disk.
 */
export function createServerLogs(options: {
  readonly sink: FileSink;
  readonly redactor: Redactor;
  readonly folders: StepFolders;
  readonly clock: Clock;
  readonly zone: ZoneOffset;
}): ServerLogs {
  const { sink, redactor, folders, clock, zone } = options;
  const sizes = new Map<string, number>();
  return {
    add(agent, server, line) {
      const path = `mcp/${folders.agentFolder(agent)}_${server.replace(/[^A-Za-z0-9_-]/g, "_")}`;
      const text = `${isoTime(clock.now(), zone)} ${redactor.text(line)}\n`;
      const size = sizes.get(path) ?? 0;
      const isFull = size + text.length > LARGEST_FILE;
      if (isFull) void sink.move(`${path}.log`, `${path}.1.log`);
      sizes.set(path, (isFull ? 0 : size) + text.length);
      void sink.append(`${path}.log`, text);
    },
  };
}

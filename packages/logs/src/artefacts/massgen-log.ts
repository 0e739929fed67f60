import type { AgentId, EpochMillis } from "@massgen/contracts";
import type { FileSink } from "../files/file-sink.js";
import { createTextLog } from "../files/text-log.js";
import { isoTime, type ZoneOffset } from "../local-time.js";
import type { Redactor } from "../redact/redactor.js";

export type LogLevel = "debug" | "info" | "warning" | "error";

/** `massgen.log`, and `massgen_debug.log` with `debug`: one line per record (docs/spec/logs.md 4.10). */
export interface MassgenLog {
  add(at: EpochMillis, level: LogLevel, component: string, agent: AgentId | null, message: string): void;
  flush(): Promise<void>;
}

const INFO_BYTES = 10 << 20;
const DEBUG_BYTES = 100 << 20;

export interface MassgenLogOptions {
  readonly sink: FileSink;
  readonly redactor: Redactor;
  readonly zone: ZoneOffset;
  readonly debug: boolean;
  readonly simulated: boolean;
}

export function createMassgenLog({ sink, redactor, zone, debug, simulated }: MassgenLogOptions): MassgenLog {
  const info = createTextLog(sink, "massgen.log", { rotateBytes: INFO_BYTES });
  const all = debug ? createTextLog(sink, "massgen_debug.log", { rotateBytes: DEBUG_BYTES, keep: 7 }) : null;

  return {
    add(at, level, component, agent, message) {
      const said = `${simulated ? "[simulated] " : ""}${message}`;
      const line = `${[isoTime(at, zone), level.toUpperCase(), component, agent ?? "-", said].map(onOneLine).join(" | ")}\n`;
      const safe = redactor.text(line);
      if (level !== "debug") info.add(safe);
      all?.add(safe);
    },
    async flush() {
      await Promise.all([info.flush(), all?.flush()]);
    },
  };
}

/** A stack keeps its lines, but in one line of the file. */
const onOneLine = (text: string): string => text.replace(/\r?\n/g, "\\n").replace(/\p{Cc}/gu, " ");

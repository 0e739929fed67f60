import { isInside } from "../env/child-environment.js";
import type { ProcessLimits } from "../process/gate.js";

/**
 * What a command may touch. All paths are absolute and real (links followed), and keep their place inside. The deepest path
 * decides; of equal ones `hidden` wins over `protected` and `readable`, and these over `writable`. Whatever is in none of
 * them and is no part of the system's programs is not there for the command.
 */
export interface Walls {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** Read-only inside what is writable. One that does not exist cannot be held: it is passed over. */
  readonly protected: readonly string[];
  /** Neither read nor written, inside what is readable or writable. */
  readonly hidden: readonly string[];
  readonly network: "none" | "host";
  /** Copies that stand in for writable paths, under the names of these; only for a sandbox that `relocates`. */
  readonly standIns?: readonly StandIn[];
}

export interface StandIn {
  readonly path: string;
  /** Where the files are that commands find at `path`. */
  readonly source: string;
}

/** Where on this machine the files are that a command finds at `path`. */
export function sourceOf(path: string, standIns: readonly StandIn[] = []): string {
  const deepest = standIns.filter((one) => isInside(path, one.path)).sort((a, b) => b.path.length - a.path.length)[0];
  return deepest === undefined ? path : deepest.source + path.slice(deepest.path.length);
}

export interface SandboxedCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: ProcessLimits;
}

/** How to start the command so that the walls stand. */
export interface PreparedCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Nothing the command starts can outlive it. */
  readonly holdsItsTree: boolean;
  endElsewhere?(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Called once the command is over. */
  dispose?(): Promise<void>;
}

export type SandboxKind = "bubblewrap" | "seatbelt" | "container" | "off";

/** What stands between a command and the machine, in words for people and as a value for `status.json`. */
export interface SandboxReport {
  readonly kind: SandboxKind;
  /** `bubblewrap 0.8.0`; `null` for `off`. */
  readonly program: string | null;
  readonly writes: "confined" | "unconfined";
  readonly reads: "confined" | "unconfined";
  readonly network: "none" | "host";
  /** Whether what a command starts can outlive it by leaving its session and its environment. */
  readonly processes: "held" | "found";
  /** One sentence for the start of a run. */
  readonly sentence: string;
}

/** One way to confine commands. A driver whose walls cannot be built throws: nothing is started then. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /** Whether it can show files of one place under the name of another. */
  readonly relocates?: true;
  report(network: Walls["network"]): SandboxReport;
  prepare(command: SandboxedCommand, walls: Walls): Promise<PreparedCommand>;
  /** Ends what it keeps running. Idempotent. */
  close(): Promise<void>;
}

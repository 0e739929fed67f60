/**
 * A shell that waits until it is told to go and then becomes the command. The host says so once the watchdog knows the
 * process; a host that dies before closes the pipe instead, and the command never starts.
 */
const GATE = `read -r go <&3 || exit 125; exec 3<&-; exec "$@"`;

export const gated = (argv: readonly string[]): readonly string[] => ["/bin/sh", "-c", GATE, "massgen-gate", ...argv];

/** Ceilings of one process (`processes`: of all processes of its user or, in a sandbox, of the sandbox). `null`: as the host's. */
export interface ProcessLimits {
  readonly processes: number | null;
  /** Private writable memory of each process. */
  readonly memoryBytes: number | null;
  /** The longest file a process may write. */
  readonly fileBytes: number | null;
  readonly openFiles: number | null;
  readonly cpuSeconds: number | null;
}

export const defaultLimits: ProcessLimits = {
  processes: 512,
  memoryBytes: 4 * 1024 ** 3,
  fileBytes: 2 * 1024 ** 3,
  openFiles: 4096,
  cpuSeconds: null,
};

/**
 * The command behind a shell that lowers its own limits first. A limit the system refuses (it is above the host's hard
 * limit, or unknown there) is left as it is: the host's is then the stricter one.
 */
export function limited(argv: readonly string[], limits: ProcessLimits): readonly string[] {
  const lines = [
    "ulimit -c 0",
    // bash counts processes with -u, dash with -p; bash's -p is read-only and fails harmlessly.
    limits.processes === null ? "" : `ulimit -u ${whole(limits.processes)} || ulimit -p ${whole(limits.processes)}`,
    // Not address space: runtimes reserve far more of it than they use.
    limits.memoryBytes === null ? "" : `ulimit -d ${whole(limits.memoryBytes / 1024)}`,
    limits.fileBytes === null ? "" : `ulimit -f ${whole(limits.fileBytes / 512)}`,
    limits.openFiles === null ? "" : `ulimit -n ${whole(limits.openFiles)}`,
    limits.cpuSeconds === null ? "" : `ulimit -t ${whole(limits.cpuSeconds)}`,
  ].filter((line) => line !== "");
  return ["/bin/sh", "-c", `{ ${lines.join("; ")}; } 2>/dev/null; exec "$@"`, "massgen-limits", ...argv];
}

const whole = (value: number): number => Math.max(1, Math.floor(value));

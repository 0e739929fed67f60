import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";

/**
 * Outlives the host by the moment it takes to end what the host left. It reads lines from a pipe that only the host holds:
 * `+ pid` and `- pid` for process groups, `c name tool` and `d name` for containers, `f path` and `g path` for folders of control groups. The end of the pipe means that the
 * host is gone, however it went: `kill -9` included.
 */
const SCRIPT = `
trap '' INT TERM HUP QUIT
groups=' '; containers=' '; folders=' '
while read -r verb value tool; do
  case $verb in
    +) groups="$groups$value " ;;
    -) case $groups in *" $value "*) groups="\${groups%%" $value "*} \${groups#*" $value "}" ;; esac ;;
    c) containers="$containers$value:$tool " ;;
    d) case $containers in *" $value:"*) rest="\${containers#*" $value:"}"; containers="\${containers%%" $value:"*} \${rest#* }" ;; esac ;;
    f) folders="$folders$value " ;;
    g) case $folders in *" $value "*) folders="\${folders%%" $value "*} \${folders#*" $value "}" ;; esac ;;
  esac
done
for g in $groups; do kill -KILL -- "-$g" 2>/dev/null; done
for round in 1 2 3; do
  [ -d /proc/self ] || break
  left=$(grep -lsaF -- "$1" /proc/[0-9]*/environ)
  [ -n "$left" ] || break
  for f in $left; do p=\${f#/proc/}; kill -KILL "\${p%/environ}" 2>/dev/null; done
done
for f in $folders; do rmdir "$f" 2>/dev/null; done
for c in $containers; do "\${c#*:}" rm -f "\${c%%:*}" >/dev/null 2>&1; done
`;

/** The environment variable that marks every process started here, so that one which left its group is still found. */
export const MARK_NAME = "MASSGEN_PROCESS";

const hostToken = randomBytes(8).toString("hex");

/** The mark of one command; unique on this machine. */
export const newMark = (): string => `${hostToken}.${randomBytes(6).toString("hex")}`;

let watchdog: ChildProcess | null = null;
const watched = new Set<number>();
const containers = new Map<string, string>();
const folders = new Set<string>();

/** What docker and podman need to find their daemon and their settings; nothing else of the host reaches them. */
export function containerToolVariables(host: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(TOOL_VARIABLES.flatMap((name) => (host[name] === undefined ? [] : [[name, host[name]]])));
}

const TOOL_VARIABLES: readonly string[] = [
  ..."PATH HOME XDG_RUNTIME_DIR CONTAINER_HOST".split(" "),
  ..."DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG DOCKER_TLS_VERIFY DOCKER_CERT_PATH".split(" "),
];

/** Resolves when the line is in the pipe: from then on the watchdog will read it, whatever happens to the host. */
export async function watch(pid: number): Promise<void> {
  watched.add(pid);
  await tell(`+ ${pid}`);
}

/** To be called when the group is known to be empty. */
export function unwatch(pid: number): void {
  if (watched.delete(pid)) void tell(`- ${pid}`).catch(() => {});
}

/** `tool` is the absolute path of a docker-compatible program; neither may contain blanks. */
export async function watchContainer(name: string, tool: string): Promise<void> {
  containers.set(name, tool);
  await tell(`c ${name} ${tool}`);
}

export function unwatchContainer(name: string): void {
  if (containers.delete(name)) void tell(`d ${name}`).catch(() => {});
}

/** An empty folder is removed when the host has died; neither blanks nor anything else is expected in its name. */
export function watchFolder(path: string): void {
  folders.add(path);
  void tell(`f ${path}`).catch(() => {});
}

export function unwatchFolder(path: string): void {
  if (folders.delete(path)) void tell(`g ${path}`).catch(() => {});
}

/**
 * Sends SIGKILL to every process group started here that is still watched, without waiting for anything: for the second
 * Ctrl+C. What left its group is ended by the watchdog when the host exits.
 */
export function killEverythingNow(): void {
  for (const pid of watched) {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // Already gone.
    }
  }
}

function tell(line: string): Promise<void> {
  const running = watchdog ?? openWatchdog();
  return new Promise((resolve, reject) => {
    running.stdin?.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** One per host process (per thread that starts commands), a small shell. It never keeps the host alive. */
function openWatchdog(): ChildProcess {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "massgen-watchdog", `${MARK_NAME}=${hostToken}.`], {
    // A session of its own: Ctrl+C in the host's terminal must not reach it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin", ...containerToolVariables(process.env) },
  });
  const forget = (): void => {
    if (watchdog === child) watchdog = null;
  };
  child.on("error", forget);
  child.on("exit", forget);
  child.stdin?.on("error", forget);
  child.unref();
  // A pipe keeps the event loop running as a process does; its type does not show that it is a socket.
  (child.stdin as { unref?(): void } | null)?.unref?.();
  watchdog = child;
  for (const pid of watched) child.stdin?.write(`+ ${pid}\n`);
  for (const path of folders) child.stdin?.write(`f ${path}\n`);
  for (const [name, tool] of containers) child.stdin?.write(`c ${name} ${tool}\n`);
  return child;
}

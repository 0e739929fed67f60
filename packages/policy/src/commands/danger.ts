import { resolve } from "node:path";
import { below } from "../paths/names.js";
import type { Started } from "./unwrap.js";

export interface Danger {
  /** Names the rule in verdicts and logs. */
  readonly id: string;
  readonly verdict: "deny" | "ask";
  /** What it would do, to follow "because it", and what to do instead. */
  readonly why: string;
}
export interface Surroundings {
  /** Real and written paths of all roots of the agent. */
  readonly roots: readonly string[];
  /** Those of context paths. */
  readonly contexts: readonly string[];
  readonly home: string | null;
}
type Rule = (command: Started, args: readonly string[], around: Surroundings) => boolean;
type Row = readonly [id: string, verdict: Danger["verdict"], names: RegExp, applies: Rule | "unless_sudo", why: string];

const always: Rule = () => true;
const DEVICE = /^\/dev\/(?!(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd\/\d+)$)/;
const flagged = (args: readonly string[], letters: RegExp, ...long: readonly string[]): boolean =>
  args.some((arg) => (/^-\w+$/.test(arg) && letters.test(arg)) || long.includes(arg));

/** What is refused whatever runs it and wherever (docs/spec/tools.md 4.3). The first row that applies is told. */
const ROWS: readonly Row[] = [
  ["privilege", "deny", /^(?:sudo|su|doas|pkexec|runuser)$/, "unless_sudo", "asks for other rights. Do it with the rights you have"],
  ["recursive-delete", "deny", /^rm$/, deletesTooMuch, "deletes a whole root, home or disk. Name the files, or use delete_path"],
  ["recursive-delete", "deny", /^find$/, findsTooMuch, "deletes below a whole disk or home. Name the folder"],
  [
    "raw-device",
    "deny",
    /^(?:dd|tee|cp|mv|install|shred|truncate|cat|badblocks)$/,
    (_, args) => args.some((arg) => DEVICE.test(arg.replace(/^of=/, ""))),
    "writes to a device. Write to a file",
  ],
  [
    "disk-tools",
    "deny",
    /^(?:mkfs(?:\..*)?|mke2fs|mkswap|fdisk|sfdisk|cfdisk|parted|wipefs|blkdiscard|hdparm|diskutil)$/,
    always,
    "changes disks",
  ],
  ["power", "deny", /^(?:shutdown|reboot|halt|poweroff|init|telinit)$/, always, "stops the machine"],
  [
    "kill-all",
    "deny",
    /^kill$/,
    (_, args) => /^-?1$/.test(args.at(-1) ?? "") && args.at(-1) === "-1" && args.length > 1,
    "ends every process. Name the process",
  ],
  ["kill-all", "deny", /^(?:killall5)$/, always, "ends every process. Name the process"],
  [
    "containers",
    "deny",
    /^(?:docker|podman|nerdctl|ctr|nsenter|mount|umount|chroot|pivot_root|unshare|bwrap|capsh|strace|gdb|insmod|modprobe)$/,
    "unless_sudo",
    "reaches around the walls of this workspace",
  ],
  [
    "scheduled",
    "deny",
    /^(?:crontab|at|batch|systemctl|systemd-run|service|launchctl|loginctl)$/,
    always,
    "starts something that outlives this run. Run it as a background job",
  ],
  [
    "set-id",
    "deny",
    /^chmod$/,
    (_, args) => args.some((arg) => /^[ugoa]*[+=][rwxXt]*s|^[2-7][0-7]{3}$/.test(arg)),
    "sets a set-user-id bit",
  ],
  ["git-history", "deny", /^git$/, rewritesContext, "changes the repository of a context path. Work on a copy in your workspace"],
  ["git-push", "ask", /^git$/, (_, args) => subcommand(args) === "push", "sends commits to a server"],
  [
    "publish",
    "ask",
    /^(?:npm|pnpm|yarn|bun|cargo|twine|gem|gh|poetry|uv)$/,
    (_, args) => publishes(args),
    "publishes something outside of this run",
  ],
  ["code-network", "deny", /^(?:bash|sh|exec)$/, (_, args) => args.some((arg) => /\/dev\/(?:tcp|udp)\//.test(arg)), "opens a connection"],
];

/** `allowsSudo`: true in a container that was made for it. */
export function dangerOf(command: Started, around: Surroundings, allowsSudo: boolean): Danger | null {
  const args = command.words.slice(1).flatMap((word) => (word.values.length === 0 ? [word.text] : word.values));
  for (const [id, verdict, names, applies, why] of ROWS) {
    const hits = applies === "unless_sudo" ? () => !allowsSudo : applies;
    if (command.names.some((name) => names.test(name)) && hits(command, args, around)) return { id, verdict, why };
  }
  return null;
}

/** The whole disk, the home, a root itself, or everything in a context path. */
function deletesTooMuch({ folders, words }: Started, args: readonly string[], around: Surroundings): boolean {
  if (args.includes("--no-preserve-root")) return true;
  if (!flagged(args, /[rR]/, "--recursive")) return false;
  const targets = words.slice(1).filter((word) => !word.text.startsWith("-"));
  return targets.some((word) => word.values.some((value) => folders.some((folder) => isTooMuch(value, folder, around))));
}

function isTooMuch(value: string, folder: string, { roots, contexts, home }: Surroundings): boolean {
  if (/^~\/?\*?$/.test(value)) return true;
  const all = /(?:^|\/)(?:\.?\*|\.\[!\.\]\*)$/.test(value);
  const target = resolve(folder.startsWith("~") ? (home ?? "/") : folder, value.replace(/(?:^|(?<=\/))[^/]*\*$/, ""));
  if (all) return target === "/" || target === home || contexts.includes(target);
  return [...roots, ...(home === null ? [] : [home])].some((root) => below(target, root) !== null);
}

function findsTooMuch({ folders, words }: Started, args: readonly string[], { home }: Surroundings): boolean {
  if (!args.includes("-delete") && !args.some((arg) => /^(?:rm|shred|unlink)$/.test(arg))) return false;
  const starts = words
    .slice(1)
    .filter((word) => !word.text.startsWith("-"))
    .slice(0, 1)
    .flatMap((word) => word.values);
  return starts.some((start) => /^~\/?$/.test(start) || folders.some((folder) => ["/", home].includes(resolve(folder, start))));
}

const REWRITES =
  /^(?:commit|rebase|reset|filter-branch|filter-repo|update-ref|reflog|gc|prune|merge|pull|cherry-pick|revert|am|branch|tag|checkout|switch|restore|stash|clean|rm|mv|add|apply|config|remote|submodule|worktree|init|push)$/;
const ONLY_LOOKS = /^(?:--list|-l|-v|-a|--show-current|show|list|--get|-n|--dry-run)$/;

function rewritesContext({ folders }: Started, args: readonly string[], { contexts }: Surroundings): boolean {
  const command = subcommand(args);
  if (command === null || !REWRITES.test(command)) return false;
  const rest = args.slice(args.indexOf(command) + 1);
  if (
    /^(?:branch|tag|config|remote|stash|worktree|submodule|reflog)$/.test(command) &&
    (rest.length === 0 || rest.some((arg) => ONLY_LOOKS.test(arg)))
  )
    return false;
  const chosen = args.flatMap((arg, index) =>
    /^(?:-C|--git-dir|--work-tree)$/.test(args[index - 1] ?? "") ? [arg] : arg.startsWith("--git-dir=") ? [arg.slice(10)] : [],
  );
  const places = folders.flatMap((folder) => (chosen.length === 0 ? [folder] : chosen.map((path) => resolve(folder, path))));
  return places.some((place) => contexts.some((context) => below(context, place) !== null));
}

/** The first plain word after the options of `git` itself. */
function subcommand(args: readonly string[]): string | null {
  return (
    args.find((arg, index) => !arg.startsWith("-") && !/^(?:-C|-c|--git-dir|--work-tree|--namespace)$/.test(args[index - 1] ?? "")) ?? null
  );
}

function publishes(args: readonly string[]): boolean {
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  return (
    first === "publish" ||
    first === "upload" ||
    (first === "push" && second !== undefined) ||
    (/^(?:release|pr|repo|gist|issue)$/.test(first ?? "") && /^(?:create|merge|delete|edit|close|comment)$/.test(second ?? ""))
  );
}

/** `curl … | sh`: a stranger's program, unread. */
export const fetchesAndRuns = (commands: readonly Started[]): boolean =>
  commands.some((one) => one.names.some((name) => /^(?:curl|wget|fetch|aria2c)$/.test(name))) &&
  commands.some((one) => one.piped && one.names.some((name) => /^(?:sh|bash|zsh|dash|ksh|python[\d.]*|node|perl|ruby|php)$/.test(name)));

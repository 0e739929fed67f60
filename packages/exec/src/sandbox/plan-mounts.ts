import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../env/child-environment.js";
import { sourceOf, type Walls } from "./sandbox.js";

export type Mount =
  | { readonly kind: "read_only" | "writable"; readonly path: string; readonly source: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  /** Something that is there but cannot be opened. */
  | { readonly kind: "masked_file" | "masked_folder"; readonly path: string };

/** Where programs, libraries and their settings live. Homes, mail, databases, sockets and other people's work do not. */
const SYSTEM: readonly string[] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu", "/snap"];

/** Secrets among the settings. Their owner may read them, and the host may run as their owner. */
const SYSTEM_SECRETS: readonly string[] = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssh",
  "/etc/ssl/private",
  "/etc/docker",
  "/etc/kubernetes",
  "/etc/wireguard",
  "/etc/openvpn",
  "/etc/krb5.keytab",
  "/etc/NetworkManager/system-connections",
];

export interface MountOptions {
  /** Folders of toolchains outside the system's, readable. */
  readonly toolchains: readonly string[];
  /** Takes the place of `/tmp` and `/var/tmp`. */
  readonly tmp: string;
}

/**
 * The file tree of a command, outermost first, so that a later mount covers an earlier one. What is protected or hidden
 * inside something writable becomes a mount point of its own, and so do the folders above it: a mount point can be neither
 * renamed nor deleted, which keeps `mv data elsewhere` from carrying a protected `data/frozen` away.
 */
export function planMounts(walls: Walls, options: MountOptions): readonly Mount[] {
  const system = SYSTEM.flatMap(systemMount);
  const granted = new Map<string, Mount>();
  const grant = (mount: Mount): void => {
    granted.set(mount.path, mount);
  };
  for (const path of ["/tmp", "/var/tmp"]) grant({ kind: "writable", path, source: options.tmp });
  for (const path of options.toolchains) grant({ kind: "read_only", path, source: path });
  const sourceAt = (path: string): string => sourceOf(path, walls.standIns);
  for (const path of walls.writable) grant({ kind: "writable", path, source: sourceAt(path) });
  for (const path of anchors(walls)) if (!granted.has(path)) grant({ kind: "writable", path, source: sourceAt(path) });
  for (const path of [...walls.readable, ...walls.protected])
    if (kindOf(sourceAt(path)) !== null) grant({ kind: "read_only", path, source: sourceAt(path) });
  for (const path of [...SYSTEM_SECRETS, ...walls.hidden]) {
    const kind = kindOf(sourceAt(path));
    if (kind !== null) grant({ kind: kind === "folder" ? "masked_folder" : "masked_file", path });
  }
  const resolver = resolverFile();
  if (walls.network === "host" && resolver !== null && !granted.has(resolver))
    grant({ kind: "read_only", path: resolver, source: resolver });
  const byDepth = [...granted.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
  return [...system, ...byDepth];
}

const depth = (path: string): number => path.split("/").length;

/** Writable folders between a writable root and what is protected or hidden below it. */
function anchors(walls: Walls): readonly string[] {
  const found = new Set<string>();
  for (const path of [...walls.protected, ...walls.hidden]) {
    if (kindOf(sourceOf(path, walls.standIns)) === null) continue;
    for (let folder = dirname(path); folder !== "/"; folder = dirname(folder)) {
      if (isWritable(folder, walls)) found.add(folder);
    }
  }
  return [...found];
}

function isWritable(path: string, walls: Walls): boolean {
  const closest = (roots: readonly string[]): number => Math.max(0, ...roots.filter((root) => isInside(path, root)).map(depth));
  return closest(walls.writable) > closest([...walls.readable, ...walls.protected, ...walls.hidden]);
}

function kindOf(path: string): "file" | "folder" | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isSymbolicLink()) return null;
  return stat.isDirectory() ? "folder" : "file";
}

/** A merged `/bin` is a link, and stays one. */
function systemMount(path: string): readonly Mount[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) return [{ kind: "link", path, target: readlinkSync(path) }];
  return stat?.isDirectory() ? [{ kind: "read_only", path, source: path }] : [];
}

/** `/etc/resolv.conf` often leads out of `/etc`, to where its service keeps it. */
function resolverFile(): string | null {
  try {
    const real = realpathSync("/etc/resolv.conf");
    return SYSTEM.some((folder) => isInside(real, folder)) ? null : real;
  } catch {
    return null;
  }
}

/** What of a version manager's folder below home holds programs; the rest of it may hold tokens. */
const BELOW_HOME: Readonly<Record<string, readonly string[]>> = {
  ".pyenv": [".pyenv"],
  ".rbenv": [".rbenv"],
  ".asdf": [".asdf"],
  ".cargo": [".cargo/bin", ".rustup"],
  ".volta": [".volta/bin", ".volta/tools"],
  ".sdkman": [".sdkman/candidates"],
  ".local": [".local/bin", ".local/lib", ".local/share/uv", ".local/share/mise", ".local/share/pnpm"],
};

/** Toolchains on the path that lie outside the system's folders, with what belongs to them. */
export function findToolchains(path: string, home: string): readonly string[] {
  const found = new Set<string>();
  for (const entry of path.split(":")) {
    const real = realFolder(entry);
    if (real === null || real === "/" || real === home || SYSTEM.some((folder) => isInside(real, folder))) continue;
    const manager = isInside(real, home) ? BELOW_HOME[real.slice(home.length + 1).split("/")[0] ?? ""] : undefined;
    const prefix = dirname(real);
    if (manager !== undefined) for (const below of manager) found.add(join(home, below));
    else if (real.endsWith("/bin") && prefix !== home && depth(prefix) > 2)
      for (const part of ["bin", "lib", "libexec", "share", "include"]) found.add(join(prefix, part));
    else found.add(real);
  }
  return [...found].filter((folder) => realFolder(folder) === folder);
}

function realFolder(path: string): string | null {
  try {
    return path.startsWith("/") && lstatSync(realpathSync(path)).isDirectory() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}

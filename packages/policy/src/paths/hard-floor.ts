import { join } from "node:path";
import { below } from "./names.js";

const STORES_IN_HOME = [
  ...[".ssh", ".aws", ".gnupg", ".netrc", ".npmrc", ".pypirc", ".docker/config.json", ".git-credentials", ".kube", ".azure"],
  ...[".config/gcloud", ".config/gh", ".massgen", "Library/Keychains", ".password-store", ".local/share/keyrings"],
];
const SYSTEM_STORES = ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/run/secrets"];
const KERNEL = ["/proc", "/sys", "/dev"];

/** What no grant opens, whatever it contains (docs/spec/tools.md 2.4). */
export interface HardFloor {
  /** Folders in which the kernel shows itself. */
  readonly kernel: readonly string[];
  /** Files and folders with credentials. */
  readonly stores: readonly string[];
}

export const hardFloor = (home: string | null): HardFloor => ({
  kernel: KERNEL,
  stores: [...SYSTEM_STORES, ...(home === null ? [] : STORES_IN_HOME.map((name) => join(home, name)))],
});

export const isKernelPath = (path: string, floor: HardFloor): boolean => floor.kernel.some((base) => below(base, path, true) !== null);

/** The credential store that holds the path, or `null`. Case is ignored: a match can only forbid. */
export const storeOf = (path: string, floor: HardFloor): string | null =>
  floor.stores.find((base) => below(base, path, true) !== null) ?? null;

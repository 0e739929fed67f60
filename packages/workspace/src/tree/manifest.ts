/** Why something of a tree is not in its copy. */
export type SkipReason =
  | "skipped_symlink"
  | "special_file"
  | "unreadable"
  | "name_collision"
  | "too_large"
  | "over_size_limit"
  | "over_file_limit"
  | "changed_while_copied";

export interface Skipped {
  readonly path: string;
  readonly reason: SkipReason;
}

/** One file of a copied tree. Paths are relative, with `/`. */
export interface CopiedFile {
  readonly path: string;
  readonly size: number;
  /** Permission bits as they are restored: 0o644, or 0o755 for a program. */
  readonly mode: number;
  /** In hexadecimal; `null` for files over 16 MiB. */
  readonly sha256: string | null;
  /** The file changed while it was read, three times; this is the last reading. */
  readonly torn?: true;
}

export interface CopiedLink {
  readonly path: string;
  readonly target: string;
}

/** What a copy of a tree holds, and what was left out of it. */
export interface TreeManifest {
  readonly files: readonly CopiedFile[];
  readonly links: readonly CopiedLink[];
  readonly skipped: readonly Skipped[];
  readonly bytes: number;
}

/** Sizes in bytes. */
export interface TreeLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly maxFileBytes: number;
}

/** 20 000 files, 1 GiB in all, 256 MiB a file. */
export const defaultLimits: TreeLimits = { maxFiles: 20_000, maxBytes: 2 ** 30, maxFileBytes: 2 ** 28 };

/** For trees of ours, which kept the limits when they were made. */
export const NO_LIMITS: TreeLimits = {
  maxFiles: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxFileBytes: Number.MAX_SAFE_INTEGER,
};

/** Sizes above which a file tool refuses or cuts. Characters are UTF-16 units, bytes are of files. */
export interface FileToolLimits {
  /** Lines `read_file` gives at once. */
  readonly readLines: number;
  /** Bytes of text one call of `read_file` or `read_many_files` gives. */
  readonly readBytes: number;
  /** Characters of a line before it is cut. */
  readonly lineChars: number;
  /** Largest file that is read at all. */
  readonly readableFileBytes: number;
  /** Largest content of `write_file` and largest file that is edited. */
  readonly writtenFileBytes: number;
  readonly comparedFileBytes: number;
  /** Larger files are left out of a search. */
  readonly searchedFileBytes: number;
  /** Files that are looked at by one listing, search or copy. */
  readonly walkedFiles: number;
  readonly copiedBytes: number;
  readonly deletedFiles: number;
  readonly listedEntries: number;
  /** Characters of a whole result; what is beyond goes to a file the agent can read. */
  readonly resultChars: number;
  readonly searchMs: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const defaultLimits: FileToolLimits = {
  readLines: 2_000,
  readBytes: 256 * KIB,
  lineChars: 2_000,
  readableFileBytes: 50 * MIB,
  writtenFileBytes: 10 * MIB,
  comparedFileBytes: 5 * MIB,
  searchedFileBytes: 10 * MIB,
  walkedFiles: 20_000,
  copiedBytes: 1024 * MIB,
  deletedFiles: 1_000,
  listedEntries: 500,
  resultChars: 30_000,
  searchMs: 20_000,
};

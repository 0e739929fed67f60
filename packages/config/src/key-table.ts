import type { FeatureName } from "./features.js";
import type { IssueCode } from "./issue.js";
import type { Shape } from "./shapes.js";
import type { PlainValue } from "./tree.js";

/**
 * What becomes of a known key. `built`: it works. `param`: it works by being handed to the adapter as written.
 * `kept`: it is accepted and has no effect, here as elsewhere.
 * `ignored`: its feature is not built, files in use have it: warning CFG120, the run goes on. `refused`: not built, and the run would not be what was asked for: error CFG121.
 */
type Support = { readonly is: "built" | "param" | "kept" } | { readonly is: "ignored" | "refused"; readonly feature: FeatureName };

export interface KeySpec<T = unknown> {
  readonly shape: Shape<T>;
  readonly support: Support;
  /** True for values that switch the feature off, so that nothing is lost by not having it. Absent: false, null, `[]` and `{}`. */
  readonly isOff?: (value: PlainValue) => boolean;
  /** The code of a wrong value; absent: that of the table. */
  readonly code?: IssueCode;
  /** Keys of the map that is the value. A function, because tables may contain each other. */
  readonly keys?: () => KeyTable;
  /** Keys of each map in the list, or in the map, that is the value. */
  readonly each?: () => KeyTable;
  /** Provider types the key is for; absent: all. */
  readonly only?: readonly string[];
}

export interface KeyTable {
  readonly keys: { readonly [key: string]: KeySpec };
  /** Of an unknown key. */
  readonly unknown: IssueCode;
  /** Of a wrong value, unless the key says otherwise. */
  readonly wrong: IssueCode;
  /** `closed`: any other key is unknown. `open`: other keys are handed on, and only near misses are told. `free`: anything goes. */
  readonly kind: "closed" | "open" | "free";
}

type Extra = Pick<KeySpec, "isOff" | "code" | "keys" | "each" | "only">;

export const built = <T>(shape: Shape<T>, extra: Extra = {}): KeySpec<T> => ({ shape, support: { is: "built" }, ...extra });
export const param = <T>(shape: Shape<T>, extra: Extra = {}): KeySpec<T> => ({ shape, support: { is: "param" }, ...extra });
export const kept = <T>(shape: Shape<T>, extra: Extra = {}): KeySpec<T> => ({ shape, support: { is: "kept" }, ...extra });
export const ignored = <T>(feature: FeatureName, shape: Shape<T>, extra: Extra = {}): KeySpec<T> => ({
  shape,
  support: { is: "ignored", feature },
  ...extra,
});
export const refused = <T>(feature: FeatureName, shape: Shape<T>, extra: Extra = {}): KeySpec<T> => ({
  shape,
  support: { is: "refused", feature },
  ...extra,
});

/** For a key whose default is not false, null or empty. */
export const off = (...values: readonly PlainValue[]): Pick<Extra, "isOff"> => ({
  isOff: (value) => values.includes(value) || isEmpty(value),
});

/** For a section with a switch of its own that is off by default. */
export const enabledBy = (switchKey: string): Pick<Extra, "isOff"> => ({
  isOff: (value) => isEmpty(value) || (isRecord(value) && value[switchKey] !== true),
});

export function isEmpty(value: PlainValue): boolean {
  if (value === false || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

const isRecord = (value: PlainValue): value is { readonly [key: string]: PlainValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const closed = <K extends { readonly [key: string]: KeySpec }>(
  unknown: IssueCode,
  wrong: IssueCode,
  keys: K,
): KeyTable & { readonly keys: K } => ({ keys, unknown, wrong, kind: "closed" });
export const open = <K extends { readonly [key: string]: KeySpec }>(
  unknown: IssueCode,
  wrong: IssueCode,
  keys: K,
): KeyTable & { readonly keys: K } => ({ keys, unknown, wrong, kind: "open" });
/** A table for values whose keys are somebody else's business: arguments of a tool, options of a foreign framework. */
export const free: KeyTable = { keys: {}, unknown: "CFG042", wrong: "CFG033", kind: "free" };

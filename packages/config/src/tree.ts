/** Offsets into the text of the file, end exclusive. */
export type TextRange = readonly [start: number, end: number];

export type ScalarValue = string | number | boolean | null;

interface Placed {
  /** Where the key that leads to this node stands; `null` for list items, the root, and configs without a file. */
  keyRange: TextRange | null;
  range: TextRange | null;
  /** The node it was written in and under which key or index. Moving a node leaves both, so messages still point into the file. */
  parent: MapNode | ListNode | null;
  step: string | number;
}

export interface ScalarNode extends Placed {
  readonly kind: "scalar";
  /** After expansion of variables. */
  value: ScalarValue;
  /** Before expansion. */
  readonly written: ScalarValue;
  /** The characters of the file for a plain scalar, `3.10` for the number 3.1; `null` when quoted or not from a file. */
  readonly source: string | null;
}

export interface MapNode extends Placed {
  readonly kind: "map";
  readonly entries: Map<string, ConfigNode>;
}

export interface ListNode extends Placed {
  readonly kind: "list";
  readonly items: ConfigNode[];
}

export type ConfigNode = ScalarNode | MapNode | ListNode;

export type PlainValue = ScalarValue | readonly PlainValue[] | { readonly [key: string]: PlainValue };

/** A node that stands in no file: from a flag, a default, or a config built in memory. */
export function scalar(value: ScalarValue, parent: MapNode | ListNode | null = null, step: string | number = ""): ScalarNode {
  return { kind: "scalar", value, written: value, source: null, keyRange: null, range: null, parent, step };
}

export function emptyMap(parent: MapNode | ListNode | null = null, step: string | number = ""): MapNode {
  return { kind: "map", entries: new Map(), keyRange: null, range: null, parent, step };
}

/** `agents[1].backend.type`, as written in the file; empty for the root. */
export function pathOf(node: ConfigNode): string {
  const steps: string[] = [];
  for (let at: ConfigNode = node; at.parent !== null; at = at.parent) steps.push(formatStep(at.step));
  return steps.reverse().join("").replace(/^\./, "");
}

const formatStep = (step: string | number): string => {
  if (typeof step === "number") return `[${step}]`;
  return /^[\p{L}\p{N}_.<$-]{1,60}$/u.test(step) ? `.${step}` : `[${JSON.stringify(step.slice(0, 60))}]`;
};

/** The value as plain data, with variables expanded. */
export function toValue(node: ConfigNode): PlainValue {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(toValue);
  return toRecord(node.entries, toValue);
}

/** An object with exactly these keys, `__proto__` being one like any other. */
export function toRecord<T>(
  entries: Iterable<readonly [string, ConfigNode]>,
  convert: (node: ConfigNode) => T,
): { readonly [key: string]: T } {
  const record: { [key: string]: T } = {};
  for (const [key, child] of entries) {
    if (key === "__proto__")
      Object.defineProperty(record, key, { value: convert(child), enumerable: true, configurable: true, writable: true });
    else record[key] = convert(child);
  }
  return record;
}

export function child(node: ConfigNode | undefined, key: string): ConfigNode | undefined {
  return node?.kind === "map" ? node.entries.get(key) : undefined;
}

/** Calls `visit` for the node and everything below it, parents first. */
export function walk(node: ConfigNode, visit: (node: ConfigNode) => void): void {
  visit(node);
  if (node.kind === "list") for (const item of node.items) walk(item, visit);
  if (node.kind === "map") for (const entry of node.entries.values()) walk(entry, visit);
}

import type { SourceSpan } from "./issue.js";
import type { Reporter } from "./reporter.js";
import { isSecretPath, toStored } from "./secrets.js";
import { type ConfigNode, type PlainValue, pathOf, type ScalarNode } from "./tree.js";

/** A value that was given, where it counts. */
export interface GivenValue {
  /** Where it counts: `agents[0].backend.temperature`. */
  readonly path: string;
  /** Under which key it was written, when that is another: `agents[0].temperature`. */
  readonly writtenAs: string | null;
  /** As it counts; with its variables by name, and `[REDACTED]` for a secret. */
  readonly value: PlainValue;
  /** As it was written, when it counts as something else: `OpenAI`. */
  readonly written: string | null;
  /** Of the value; `null` when it stands in no file: flags, and what follows from other values. */
  readonly span: SourceSpan | null;
}

/** Where things stand in the file. Paths are those of issues, `agents[0].backend.type`; the single-agent form answers to `agents[0]` too. */
export interface PositionIndex {
  /** The key that ends the path, or the value where there is no key; `null` for paths that are not in the file. */
  key(path: string): SourceSpan | null;
  value(path: string): SourceSpan | null;
  /** Everything that was given, in the order of the file, as it stands after forms are read and flags laid over. */
  given(): readonly GivenValue[];
}

export const noPositions: PositionIndex = { key: () => null, value: () => null, given: () => [] };

/** Indexes on first use: most runs never ask. */
export function createPositions(root: ConfigNode, locate: Reporter["locate"]): PositionIndex {
  let index: ReadonlyMap<string, ConfigNode> | null = null;
  const find = (path: string): ConfigNode | undefined => {
    index ??= indexOf(root);
    return index.get(path);
  };
  return {
    key: (path) => {
      const node = find(path);
      return node === undefined ? null : locate(node.keyRange ?? node.range);
    },
    value: (path) => locate(find(path)?.range ?? null),
    given: () => givenIn(root, locate),
  };
}

function givenIn(root: ConfigNode, locate: Reporter["locate"]): readonly GivenValue[] {
  const found: GivenValue[] = [];
  const visit = (node: ConfigNode, path: string): void => {
    if (node.kind === "list" && node.items.some((item) => item.kind !== "scalar")) {
      for (const [at, item] of node.items.entries()) visit(item, `${path}[${at}]`);
    } else if (node.kind === "map" && (node.entries.size > 0 || path === "")) {
      for (const [key, value] of node.entries) visit(value, path === "" ? key : `${path}.${key}`);
    } else found.push(describeGiven(node, path, locate));
  };
  visit(root, "");
  return found;
}

function describeGiven(node: ConfigNode, path: string, locate: Reporter["locate"]): GivenValue {
  const writtenPath = pathOf(node);
  const secret = isSecretPath(node);
  const stored = node.kind === "scalar" || !secret ? toStored(node).raw : "[REDACTED]";
  return {
    path,
    writtenAs: node.range === null || sameAgent(writtenPath, path) ? null : writtenPath,
    value: node.kind === "scalar" ? scalarValue(node, secret, stored) : stored,
    written: node.kind === "scalar" && !secret && isMended(node) ? String(node.written) : null,
    span: locate(node.range),
  };
}

/** What holds a variable stays by its name: what it stands for may be a secret. */
function scalarValue(node: ScalarNode, secret: boolean, stored: PlainValue): PlainValue {
  if (node.written === null || typeof node.written === "boolean") return node.value;
  if (holdsVariable(node)) return stored;
  if (secret) return "[REDACTED]";
  return isMended(node) ? node.value : stored;
}

const isMended = (node: ScalarNode): boolean => node.value !== node.written && !holdsVariable(node);
const holdsVariable = ({ written }: ScalarNode): boolean => typeof written === "string" && written.includes("${");
/** `agent` is the first of a team of one; that is no other key. */
const sameAgent = (written: string, path: string): boolean => written === path || written.replace(/^agent(?=\.|$)/, "agents[0]") === path;

function indexOf(root: ConfigNode): ReadonlyMap<string, ConfigNode> {
  const index = new Map<string, ConfigNode>();
  const visit = (node: ConfigNode, path: string): void => {
    index.set(path, node);
    const written = pathOf(node);
    if (!index.has(written)) index.set(written, node);
    if (node.kind === "list") for (const [at, item] of node.items.entries()) visit(item, `${path}[${at}]`);
    if (node.kind === "map") for (const [key, value] of node.entries) visit(value, path === "" ? key : `${path}.${key}`);
  };
  visit(root, "");
  return index;
}

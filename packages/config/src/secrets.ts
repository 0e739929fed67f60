import { type ConfigNode, type PlainValue, toRecord } from "./tree.js";

/** What stands in the place of a secret in stored copies. */
const REDACTED = "[REDACTED]";

const secretKey = /(^|[_-])(api_?key|apikey|access_?key|private_?key|token|tokens|secret|password|passwd|authorization|credential)s?$/i;
/** Keys that end like a secret and are none. */
const harmlessKey =
  /^(max|min|num|total|budget|context|input|output|cached|reasoning|completion|prompt)_(.*_)?tokens?$|^(enable|persist)_|^tokens$/i;
/** Whatever stands below these may be one. */
const secretMap = /^(env|headers)$/i;
const keyLike =
  /\b(?:sk|pk|rk|xai|gsk|hf|ghp|gho|pplx|nvapi|fw|csk|tvly)[-_][A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\bgithub_pat_\w{10,}|\bBearer\s[A-Za-z0-9._~+/=-]{6,}/g;
const urlLogin = /\b(\w{1,20}:\/\/)([^\s/@]+)@/g;
const urlParameter = /([?&][\w-]{0,40}(?:key|token|secret|password|signature)=)([^&\s"'$]+)/gi;
const flagAndValue = /(--?[\w-]{0,40}(?:key|token|secret|password)["']?[\s,=]{1,8}["']?)([^"',\s\]]+)/gi;
const keyOnLine = /(?<![\w-])(["']?)([\w-]{1,64})\1\s{0,8}:\s{0,8}/g;
const quotedText = /^(?:"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)/;
/** Points to the environment and holds nothing itself. */
const reference = /^(?:\w+ )?\$\{[A-Za-z_]\w*\}$/;
const secretFlag = /^--?[\w-]*(?:key|token|secret|password)$/i;

function isSecretKey(key: string): boolean {
  return secretKey.test(key) && !harmlessKey.test(key);
}

/** True for the value of a key that holds a secret, and for everything below `env` and `headers`. */
export function isSecretPath(node: ConfigNode): boolean {
  for (let at: ConfigNode = node; at.parent !== null; at = at.parent) {
    if (typeof at.step !== "string") continue;
    if (isSecretKey(at.step) || (at !== node && secretMap.test(at.step))) return true;
  }
  return false;
}

/** Removes what looks like a key from a text for people: vendors' key prefixes, `user:password@` and key parameters of URLs. */
export function maskKeys(text: string): string {
  return text.replace(keyLike, "***").replace(urlLogin, "$1***@").replace(urlParameter, "$1***");
}

/** A line of the file as it may be shown: secrets are starred, character for character, so that carets still fit. */
export function maskLine(line: string): string {
  return maskValues(line)
    .replace(keyLike, stars)
    .replace(urlLogin, (_, scheme: string, login: string) => `${scheme}${stars(login)}@`)
    .replace(urlParameter, (_, name: string, value: string) => name + stars(value))
    .replace(flagAndValue, (_, name: string, value: string) => name + stars(value));
}

const stars = (text: string): string => "*".repeat(text.length);

/** Stars what follows secret keys: a quoted text, else all of the line, since a plain value may hold `#`, `,` and `}`. */
function maskValues(line: string): string {
  let masked = line;
  for (const match of line.matchAll(keyOnLine)) {
    const start = match.index + match[0].length;
    const rest = masked.slice(start);
    const holdsSecrets = secretMap.test(match[2]!) && rest.startsWith("{");
    if (!isSecretKey(match[2]!) && !holdsSecrets) continue;
    const value = quotedText.exec(rest)?.[0] ?? rest;
    if (reference.test(value.trim().replace(/^(["'])(.*)\1$/, "$2"))) continue;
    masked = masked.slice(0, start) + stars(value) + masked.slice(start + value.length);
  }
  return masked;
}

export interface Stored {
  /** The config as written, before expansion of variables, with literal secrets replaced. Safe to keep in a log. */
  readonly raw: PlainValue;
  /** The literals that were replaced. */
  readonly secrets: readonly string[];
}

export function toStored(root: ConfigNode): Stored {
  const secrets = new Set<string>();
  const store = (node: ConfigNode, secret: boolean): PlainValue => {
    if (node.kind === "list") return node.items.map((item, index) => store(item, secret || isFlagBefore(node.items[index - 1])));
    if (node.kind === "map") {
      return toRecord(node.entries, (entry) =>
        store(entry, secret || isSecretKey(String(entry.step)) || (entry.kind === "map" && secretMap.test(String(entry.step)))),
      );
    }
    if (secret && node.written !== null && typeof node.written !== "boolean" && !reference.test(String(node.written))) {
      secrets.add(node.source ?? String(node.written));
      return REDACTED;
    }
    return typeof node.written === "string" ? maskText(node.written, secrets) : node.written;
  };
  return { raw: store(root, false), secrets: [...secrets].filter((secret) => secret.length >= 4) };
}

const isFlagBefore = (node: ConfigNode | undefined): boolean =>
  node?.kind === "scalar" && typeof node.written === "string" && secretFlag.test(node.written);

function maskText(text: string, secrets: Set<string>): string {
  const keep = (secret: string): string => {
    secrets.add(secret);
    return REDACTED;
  };
  return text
    .replace(keyLike, (found) => keep(found.replace(/^Bearer\s/, "")))
    .replace(urlLogin, (_, scheme: string, login: string) => `${scheme}${keep(login)}@`)
    .replace(urlParameter, (_, name: string, value: string) => name + keep(value));
}

import type { LoadedConfig } from "../parse-config.js";
import { maskKeys } from "../secrets.js";
import type { PlainValue } from "../tree.js";

/** The normalised config as it may be shown: every secret is `[REDACTED]`, whether the file or the environment holds it. */
export function shownConfig({ config, secrets }: LoadedConfig): PlainValue {
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  const clean = (text: string): string => maskKeys(longestFirst.reduce((left, secret) => left.replaceAll(secret, "[REDACTED]"), text));
  const show = (value: unknown, secret: boolean): PlainValue => {
    if (typeof value === "string") return secret && value !== "" ? "[REDACTED]" : clean(value);
    if (Array.isArray(value)) return value.map((item) => show(item, secret));
    if (typeof value !== "object" || value === null) return value as PlainValue;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, show(item, secret || isSecretField(key))]));
  };
  return show(config, false);
}

const isSecretField = (key: string): boolean => /^(env|headers)$|(api_?key|secret|password|authorization|credential)s?$/i.test(key);

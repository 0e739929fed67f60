import { nearest } from "../nearest.js";
import { providerOf } from "./catalogue.js";
import { knownModels } from "./models.js";

/** Vendors whose names are known well enough to mend one. Servers at home, routers and deployments have names of their own. */
const mended: ReadonlySet<string> = new Set([
  "openai",
  "claude",
  "claude_code",
  "gemini",
  "grok",
  "zai",
  "moonshot",
  "qwen",
  "codex",
  "gemini_cli",
]);

const ofClaude: Readonly<Record<string, string>> = {
  "claude-4-5-sonnet": "claude-sonnet-4-5",
  "claude-4-5-haiku": "claude-haiku-4-5",
  "claude-4-5-opus": "claude-opus-4-5",
  "claude-4-sonnet": "claude-sonnet-4",
};
const ofGemini: Readonly<Record<string, string>> = {
  "gemini-2.5-pro-preview": "gemini-2.5-pro",
  "gemini-3.0-pro-preview": "gemini-3-pro-preview",
  "gemini-3-pro": "gemini-3-pro-preview",
  "gemini-flash": "gemini-3-flash-preview",
};
const aliases: { readonly [type: string]: Readonly<Record<string, string>> } = {
  claude: ofClaude,
  claude_code: ofClaude,
  gemini: ofGemini,
  gemini_cli: ofGemini,
};

/**
 * The vendor's name for a model, however it is written: another case, an alias, a dot for a dash. A name that nobody knows
 * stays as it is, because new models must work on the day they appear; a date in a name is never dropped.
 *
 * @example
 * resolveModel("claude", "claude-4-5-sonnet") // => "claude-sonnet-4-5"
 */
export function resolveModel(type: string, name: string): string {
  const provider = providerOf(type)?.type ?? type;
  if (!mended.has(provider)) return name;
  const known = knownModels[provider] ?? [];
  const lower = name.trim().toLowerCase();
  const exact = known.find((model) => model.toLowerCase() === lower);
  if (exact !== undefined) return exact;
  const own = aliases[provider] ?? {};
  if (Object.hasOwn(own, lower)) return own[lower] ?? name;
  if (provider.startsWith("claude") && /^(?:opus|sonnet|haiku)$/.test(lower)) return newestOf(lower, known) ?? name;
  const alike = known.filter((model) => plainName(model) === plainName(lower));
  return alike.length === 1 ? (alike[0] ?? name) : name;
}

/** Known models of a provider with a name near this one, best first, at most three. */
export function nearModels(type: string, name: string): readonly string[] {
  const known = knownModels[providerOf(type)?.type ?? type] ?? [];
  const others = known.filter((model) => model !== name);
  const undated = others.filter((model) => withoutDate(plainName(model)) === withoutDate(plainName(name)));
  return [...new Set([...undated, ...nearest(name, others)])].slice(0, 3);
}

/** Lower case, dashes only, and the family before the version: `claude-3-7-sonnet` and `claude-sonnet-3.7` are one. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[._]/g, "-")
    .replace(/^claude-(\d(?:-\d)?)-(opus|sonnet|haiku)/, "claude-$2-$1");

const withoutDate = (name: string): string => name.replace(/-(?:\d{8}|latest)$/, "");

function newestOf(family: string, known: readonly string[]): string | undefined {
  const version = (model: string): number => Number(/^claude-[a-z]+-(\d(?:-\d)?)$/.exec(model)?.[1]?.replace("-", ".") ?? Number.NaN);
  return known
    .filter((model) => model.startsWith(`claude-${family}-`) && !Number.isNaN(version(model)))
    .toSorted((a, b) => version(b) - version(a))[0];
}

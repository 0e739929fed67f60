import { type ProviderEntry, providers } from "../providers/catalogue.js";

/** The first letters that tell whose key it is. */
const TELLING: readonly (readonly [start: string, variable: string, owner: string])[] = [
  ["sk-ant-", "ANTHROPIC_API_KEY", "Anthropic"],
  ["sk-or-", "OPENROUTER_API_KEY", "OpenRouter"],
  ["gsk_", "GROQ_API_KEY", "Groq"],
  ["xai-", "XAI_API_KEY", "xAI"],
  ["nvapi-", "NGC_API_KEY", "Nvidia"],
  ["csk-", "CEREBRAS_API_KEY", "Cerebras"],
];

/** Providers a person may have a key of, one for each variable, in the order of the catalogue. */
export const keyProviders = (isSupported: (type: string) => boolean): readonly ProviderEntry[] => {
  const seen = new Set<string>();
  return providers.filter(({ type, keyVariables, keyNeeded, local }) => {
    const [variable] = keyVariables;
    if (variable === undefined || !keyNeeded || local || !isSupported(type) || seen.has(variable)) return false;
    return seen.add(variable);
  });
};

/** Why a text is no key of the variable, in words for whoever typed it; `undefined` when it may be one. Never repeats the text. */
export function refuseKey(variables: readonly string[], input: string): string | undefined {
  const key = input.trim();
  if (key === "") return "Paste the key, or press Esc to leave.";
  if (/^(?:export\s+)?[A-Z][A-Z0-9_]*=/.test(key)) return "Only the key, without NAME= in front.";
  if (/\s/.test(key)) return "A key has no spaces and no line breaks.";
  if (/["'`]/.test(key)) return "A key has no quotes.";
  if (!/^[\x21-\x7e]+$/.test(key)) return "There are characters in it that no key has.";
  if (key.length < 8) return "This is too short for a key.";
  const [, variable, owner] = TELLING.find(([start]) => key.startsWith(start)) ?? [];
  return variable === undefined || variables.includes(variable) ? undefined : `This looks like a key of ${owner} (${variable}).`;
}

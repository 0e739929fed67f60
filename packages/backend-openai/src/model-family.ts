/** `openai/gpt-5-mini` and `gpt-5-mini` are one model. */
function bareName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).toLowerCase();
}

/**
 * The family of a model: encrypted reasoning goes back to the family it came from and to nobody else.
 * @example modelFamily("gpt-5.2-codex") // => "gpt"; "o4-mini" => "o"; "grok-4-fast" => "grok"
 */
export function modelFamily(model: string): string {
  const name = bareName(model);
  return /^[a-z]+/.exec(name)?.[0] ?? name;
}

/** OpenAI's models that think before they answer, as far as their names tell. The chat variants of GPT-5 do not. */
export function isReasoningModel(model: string): boolean {
  return /^(?:o\d|gpt-5|codex)/.test(bareName(model)) && !isChatModel(model);
}

/** Models that are known not to think: they refuse to be asked for encrypted reasoning. */
export function isPlainModel(model: string): boolean {
  return /^(?:gpt-[34]|chatgpt)/.test(bareName(model)) || isChatModel(model);
}

/** Models whose thoughts come as a summary when one is asked for. */
export function summarisesReasoning(model: string): boolean {
  return /^(?:gpt-5|o3|o4)/.test(bareName(model)) && !isChatModel(model);
}

/** GPT-5.1 and later: they think as much as they are told to, and take sampling parameters when told not to think at all. */
export function hasFreeEffort(model: string): boolean {
  return /^gpt-5\.\d/.test(bareName(model)) && !isChatModel(model);
}

function isChatModel(model: string): boolean {
  return /^gpt-5.*-chat/.test(bareName(model));
}

/** What the wire says a model is, as far as rules depend on it. */
export interface FamilyRules {
  /** Messages with tool calls keep their reasoning in every later request, not only within the loop that made them. */
  readonly keepsReasoning: boolean;
  /** A thinking model of this family refuses a message with tool calls that has no reasoning. */
  readonly demandsReasoning: boolean;
}

const DEFAULT_RULES: FamilyRules = { keepsReasoning: false, demandsReasoning: false };
const RULES: Readonly<Record<string, FamilyRules>> = {
  deepseek: { keepsReasoning: true, demandsReasoning: true },
  kimi: { keepsReasoning: false, demandsReasoning: true },
};

/**
 * The family of a model: reasoning goes back to the family it came from and to nobody else.
 * @example modelFamily("deepseek/deepseek-r1-0528") // => "deepseek"; "Qwen/Qwen3-235B-A22B" => "qwen"; "openai/gpt-oss-120b" => "gpt-oss"
 */
export function modelFamily(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  if (name.startsWith("gpt-oss")) return "gpt-oss";
  return /^[a-z]+/.exec(name)?.[0] ?? name;
}

export function familyRules(model: string): FamilyRules {
  return RULES[modelFamily(model)] ?? DEFAULT_RULES;
}

/** Whether the name of a model says that it thinks. */
export function isThinkingModel(model: string): boolean {
  return /think|reason|\br1\b|-k2\.|-k3/i.test(model);
}

/** OpenAI's reasoning models call the output limit `max_completion_tokens` and refuse the old name. */
export function isOpenAiReasoningModel(model: string): boolean {
  return /^(?:o\d|gpt-5|codex)/.test(model.slice(model.lastIndexOf("/") + 1).toLowerCase()) && !/^gpt-5.*-chat/.test(model);
}

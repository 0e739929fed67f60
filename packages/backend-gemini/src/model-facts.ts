/** What differs between the models of this API, as far as requests depend on it. */
export interface ModelFacts {
  /** Thought signatures go back to the family they came from and to nobody else: `gemini-3`. */
  readonly family: string;
  /** How the depth of thinking is said; `none`: nothing is sent unless the user asks for it. */
  readonly thinking: "level" | "budget" | "none";
  /** Google's own tools, and a schema for the answer, may stand beside functions. */
  readonly mixesTools: boolean;
  /** A call without its signature is refused with 400. */
  readonly demandsSignatures: boolean;
  /** Images may stand in the result of a function. */
  readonly mediaInResults: boolean;
}

/** What an alias such as `gemini-flash-latest` stands for; new generations keep the ways of the third. */
const NEWEST_GENERATION = 3;

/** @example modelFacts("gemini-3.1-pro-preview").family // => "gemini-3" */
export function modelFacts(model: string): ModelFacts {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const [, major, minor = "0"] = /^gemini-(\d+)(?:\.(\d+))?/.exec(name) ?? [];
  const generation = major === undefined ? (/^gemini-.*latest$/.test(name) ? NEWEST_GENERATION : null) : Number(major);
  const isNew = generation !== null && generation >= 3;
  const thinksByBudget = generation === 2 && minor === "5" && !name.includes("-image");
  return {
    family: generation === null ? (/^[a-z]+/.exec(name)?.[0] ?? name) : `gemini-${generation}`,
    thinking: isNew ? "level" : thinksByBudget ? "budget" : "none",
    mixesTools: isNew,
    demandsSignatures: isNew,
    mediaInResults: isNew,
  };
}

/** The large models of a generation, which cannot stop thinking. */
export function isPro(model: string): boolean {
  return /-pro\b/i.test(model);
}

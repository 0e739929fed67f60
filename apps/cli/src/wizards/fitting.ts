export interface Choice<T extends string = string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** Begins the value of a choice that is no name, such as "another"; it always fits. */
export const NO_NAME = "\u0000";

/**
 * Which choices fit what was typed: those that hold every word of it, in their name or hint; where there are none, those whose
 * name has its letters in this order, so that `5mini` finds `gpt-5-mini`.
 */
export function fittingIn(choices: readonly Choice[]): (search: string, option: { readonly value: string }) => boolean {
  const byValue = new Map(choices.map((choice) => [choice.value, choice]));
  return (search, { value }) => {
    const choice = byValue.get(value);
    if (choice === undefined || value.startsWith(NO_NAME)) return true;
    const names = choices.filter((one) => !one.value.startsWith(NO_NAME));
    return names.some((one) => holds(one, search)) ? holds(choice, search) : inOrder(choice.label, search);
  };
}

function holds({ label, hint = "" }: Choice, search: string): boolean {
  const text = `${label} ${hint}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function inOrder(label: string, search: string): boolean {
  let at = 0;
  const text = label.toLowerCase();
  for (const letter of search.toLowerCase().replaceAll(/\s/g, "")) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

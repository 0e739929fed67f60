const blocks = (texts: readonly string[]): string => texts.map((text) => `<said>\n${text}\n</said>`).join("\n");

/** Purpose: stands after the original message what the same person has said since. Not escaped: it is the user who speaks here. */
export const saidSince = (texts: readonly string[]): string =>
  `While the work was going on, the person who sent it said besides, in this order:
${blocks(texts)}

It counts as much as the original message; where they differ, what was said later counts.`;

/** Purpose: what the person says reaches an agent in the middle of its work, and that nothing of its own is lost. */
export const saidNow = (texts: readonly string[]): string =>
  `While you were working, the person who sent the original message said:
${blocks(texts)}

It counts as much as the original message; where they differ, what was said later counts. All you have done so far is kept. Go on with your work with it in mind.`;

/** Purpose: an answer in plain text is the last word, so with something new it has to be said again, as a whole. */
export const saidAfterText = (): string =>
  "The text you have just written is not final yet. Write the whole answer again, changed as far as what was said calls for it.";

/** Purpose: the result of a vote or a stop that would end the agent's work before it has heard what was said. */
export const hearFirst = (): string =>
  "Not counted yet: something was said to you meanwhile, and it follows. It is no mistake of yours; read it and decide again.";

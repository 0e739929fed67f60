/**
 * Purpose: the agent's own instructions, word for word. They come last in the system message, so that the beginning all
 * agents share stays shared.
 */
export const identity = (instructions: string): string | null => (instructions.trim() === "" ? null : instructions);

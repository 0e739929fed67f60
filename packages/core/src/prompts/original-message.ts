/** Purpose: the task, word for word. Nothing is escaped or shortened: it is the user who speaks here. */
export const originalMessage = (question: string): string => `<original_message>\n${question}\n</original_message>`;

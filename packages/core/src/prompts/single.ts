export interface SingleView {
  readonly moment: string;
}

/** Purpose: a single agent needs no rules of a team: its message is the question, and the date. */
export const single = ({ moment }: SingleView): string => `(${moment})`;

/** Purpose: a response without text is no answer. */
export const sayIt = (): string => "Your response had no text. Write your answer to the message as plain text.";

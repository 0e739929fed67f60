import type { RejectionCode } from "@massgen/contracts";
import { type Callable, callable } from "./callable.js";

export interface RefusalView extends Callable {
  readonly code: RejectionCode;
  /** The rule that was broken, as the kernel put it: a clause without a full stop. */
  readonly message: string;
  readonly attemptsLeft: number;
  /** The response was text without any call: it may be meant as the answer. */
  readonly isPlainText: boolean;
}

/** Purpose: short and calm: the work is kept, only the formal action is missing, and this is the way out. */
export function refusal(view: RefusalView): string {
  const offer =
    view.isPlainText && view.tools.includes("new_answer")
      ? " If the text you just wrote is your answer, call `new_answer` with it as `content`."
      : "";
  const last = view.attemptsLeft === 1 ? " This is the last attempt of this round." : "";
  return `${opening(view)}${view.message}. Your work so far is kept; only the formal action is missing. ${callable(view)}${offer}${last}`;
}

const opening = ({ isPlainText }: RefusalView): string => (isPlainText ? "Your response does not count yet: " : "Not accepted: ");

/** Purpose: the answer to the other calls of a response that was refused; every call needs one. */
export const alsoRefused = (): string => "Not accepted: the response was refused as a whole, see the other result.";

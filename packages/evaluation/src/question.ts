/** How an answer to a question is judged. */
export type Check =
  /** The answer is one of these, case, white space, quotes and the full stop at its end aside. */
  | { readonly grade: "exact"; readonly answers: readonly string[] }
  | {
      readonly grade: "numeric";
      readonly answer: number;
      /** Largest difference that still counts as right. */
      readonly tolerance: number;
      /** What the answer is counted in, for the prompt; `null` for a bare number. */
      readonly unit: string | null;
      /** Other units an answer may be in, each with how many of `unit` one of it is: `{ m: 0.001 }` where `unit` is km. */
      readonly units: Readonly<Record<string, number>>;
    }
  /** `right`: place among the choices, from 0. */
  | { readonly grade: "choice"; readonly choices: readonly string[]; readonly right: number }
  /** Found anywhere in the answer. */
  | { readonly grade: "regex"; readonly pattern: RegExp }
  /** Somebody else decides. `expected` is handed on; `null` when the data set says nothing. */
  | { readonly grade: "judge"; readonly expected: string | null };

export interface Question {
  /** Unique in its data set. */
  readonly id: string;
  readonly text: string;
  readonly check: Check;
}

export const letterOf = (place: number): string => String.fromCharCode(65 + place);

/** The right answer for people. */
export function expectedText(check: Check): string {
  switch (check.grade) {
    case "exact":
      return check.answers.join(" | ");
    case "numeric":
      return check.unit === null ? String(check.answer) : `${check.answer} ${check.unit}`;
    case "choice":
      return letterOf(check.right);
    case "regex":
      return String(check.pattern);
    case "judge":
      return check.expected ?? "(the judge decides)";
  }
}

/** What the agents are asked: the question, its choices, and in which form the answer is read. */
export function promptOf({ text, check }: Question): string {
  switch (check.grade) {
    case "exact":
      return `${text}\n\n${lastLine("<answer>")}, and nothing else on it.`;
    case "numeric":
      return `${text}\n\n${lastLine("<number>")}${check.unit === null ? "" : `, in ${check.unit}`}.`;
    case "choice":
      return `${text}\n\n${check.choices.map((choice, place) => `${letterOf(place)}) ${choice}`).join("\n")}\n\nExactly one choice is right. ${lastLine("<letter>")}.`;
    case "regex":
    case "judge":
      return text;
  }
}

const lastLine = (form: string): string => `End your answer with a line of the form "Answer: ${form}"`;

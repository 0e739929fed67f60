import { MassgenError } from "@massgen/contracts";
import type { Check, Question } from "./question.js";

/**
 * The questions of a data set, one JSON object a line; empty lines are skipped. The keys are in docs/spec/evaluation.md 2.
 *
 * @param name how messages call the data set
 * @throws MassgenError `CONFIG_INVALID` (exit 1) with every line that is wrong, as `name:line: why`
 *
 * @example parseQuestions('{"question": "How many minutes are in a day?", "answer": 1440}', "minutes.jsonl")
 */
export function parseQuestions(text: string, name: string): readonly Question[] {
  const faults: string[] = [];
  const questions: Question[] = [];
  const lines = new Map<string, number>();
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === "") continue;
    const at = index + 1;
    try {
      const question = parseQuestion(line, String(questions.length + faults.length + 1));
      const before = lines.get(question.id);
      if (before !== undefined) throw new Fault(`the id ${JSON.stringify(question.id)} is that of line ${before}`);
      lines.set(question.id, at);
      questions.push(question);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(`${name}:${at}: ${error.message}`);
    }
  }
  if (faults.length > 0)
    throw invalid(faults.slice(0, SHOWN).join("\n") + more(faults.length), "Mend the data set; its keys are in docs/spec/evaluation.md 2.");
  if (questions.length === 0) throw invalid(`${name} holds no questions.`, 'A line looks like {"question": "…", "answer": 42}.');
  return questions;
}

const SHOWN = 8;
const more = (count: number): string => (count > SHOWN ? `\n… and ${count - SHOWN} lines more` : "");

const invalid = (message: string, hint: string): MassgenError => new MassgenError("CONFIG_INVALID", message, { exitCode: 1, hint });

/** What is wrong with a line. */
class Fault extends Error {}

type Line = Readonly<Record<string, unknown>>;

/** Keys of each way to grade, besides those that every question may have. */
const KEYS: Readonly<Record<Check["grade"], readonly string[]>> = {
  exact: ["answer"],
  numeric: ["answer", "tolerance", "relative_tolerance", "unit", "units"],
  choice: ["answer", "choices"],
  regex: ["pattern", "flags"],
  judge: ["answer"],
};
const EVERYWHERE = ["id", "question", "grade", "meta"];

function parseQuestion(text: string, fallbackId: string): Question {
  const line = objectIn(text);
  const grade = gradeOf(line);
  // A key nobody reads would be a check nobody makes: "tolarance" must not pass for none.
  const unknown = Object.keys(line).filter((key) => !EVERYWHERE.includes(key) && !KEYS[grade].includes(key));
  if (unknown.length > 0)
    throw new Fault(`${quoted(unknown)} means nothing to grade ${JSON.stringify(grade)}; what is your own goes below "meta"`);
  const { id = fallbackId } = line;
  if (!(typeof id === "string" || typeof id === "number") || String(id).trim() === "") throw new Fault('"id" is to be a text or a number');
  return { id: String(id), text: textIn(line, "question"), check: checks[grade](line) };
}

function objectIn(text: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Fault(`this is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Fault("a question is a JSON object");
  return value as Line;
}

function gradeOf(line: Line): Check["grade"] {
  const { grade } = line;
  if (grade === undefined) return impliedGrade(line);
  if (typeof grade === "string" && Object.hasOwn(KEYS, grade)) return grade as Check["grade"];
  throw new Fault(`"grade" is one of ${Object.keys(KEYS).join(", ")}, not ${JSON.stringify(grade)}`);
}

function impliedGrade(line: Line): Check["grade"] {
  if ("choices" in line) return "choice";
  if ("pattern" in line) return "regex";
  if (typeof line["answer"] === "number") return "numeric";
  if ("answer" in line) return "exact";
  throw new Fault('there is no "answer"; with "grade": "judge" a command decides');
}

const checks: Readonly<Record<Check["grade"], (line: Line) => Check>> = {
  exact: (line) => {
    const { answer } = line;
    const answers = Array.isArray(answer) ? answer : [answer];
    if (answers.length === 0 || !answers.every((one) => typeof one === "string" && one.trim() !== ""))
      throw new Fault('"answer" is to be a text, or a list of texts that are all right');
    return { grade: "exact", answers };
  },
  numeric: (line) => {
    const { answer, unit = null } = line;
    const number = typeof answer === "string" && answer.trim() !== "" ? Number(answer) : answer;
    if (!isNumber(number)) throw new Fault(`"answer" is to be a number, not ${JSON.stringify(answer)}`);
    if (unit !== null && (typeof unit !== "string" || unit.trim() === "")) throw new Fault('"unit" is to be a text');
    const tolerance = Math.max(sizeIn(line, "tolerance", 0), sizeIn(line, "relative_tolerance", ROUNDING) * Math.abs(number));
    return { grade: "numeric", answer: number, tolerance, unit, units: unitsIn(line) };
  },
  choice: (line) => {
    const { choices } = line;
    if (
      !Array.isArray(choices) ||
      choices.length < 2 ||
      choices.length > 26 ||
      !choices.every((one) => typeof one === "string" && one.trim() !== "")
    )
      throw new Fault('"choices" is to be a list of 2 to 26 texts');
    return { grade: "choice", choices, right: rightChoice(textIn(line, "answer"), choices) };
  },
  regex: (line) => {
    const { flags = "" } = line;
    if (typeof flags !== "string" || !/^[imsu]*$/.test(flags)) throw new Fault('"flags" may hold i, m, s and u');
    try {
      return { grade: "regex", pattern: new RegExp(textIn(line, "pattern"), flags) };
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw new Fault(`"pattern" is no regular expression: ${error instanceof Error ? error.message : String(error)}`);
    }
  },
  judge: (line) => ({ grade: "judge", expected: line["answer"] === undefined ? null : shownAnswer(line["answer"]) }),
};

/** Numbers that only went through arithmetic of another order. */
const ROUNDING = 1e-9;

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const shownAnswer = (answer: unknown): string => (typeof answer === "string" ? answer : JSON.stringify(answer));
const quoted = (words: readonly string[]): string => words.map((word) => JSON.stringify(word)).join(", ");

function textIn(line: Line, key: string): string {
  const value = line[key];
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new Fault(value === undefined ? `there is no ${JSON.stringify(key)}` : `${JSON.stringify(key)} is to be a text that is not empty`);
}

function sizeIn(line: Line, key: string, fallback: number): number {
  const value = line[key] ?? fallback;
  if (isNumber(value) && value >= 0) return value;
  throw new Fault(`${JSON.stringify(key)} is to be a number of at least 0`);
}

function unitsIn(line: Line): Readonly<Record<string, number>> {
  const { units = {} } = line;
  if (typeof units !== "object" || units === null || Array.isArray(units)) throw new Fault('"units" is to be an object of factors');
  const entries = Object.entries(units);
  if (!entries.every(([name, factor]) => name.trim() !== "" && isNumber(factor) && factor > 0))
    throw new Fault('"units" gives each unit a factor above 0');
  if (entries.length > 0 && line["unit"] === undefined) throw new Fault('"units" needs the "unit" they are converted to');
  return Object.fromEntries(entries);
}

/** A letter, or the text of exactly one choice. */
function rightChoice(answer: string, choices: readonly string[]): number {
  const same = choices.flatMap((choice, place) => (choice === answer ? [place] : []));
  if (same.length === 1) return same[0] ?? 0;
  const place = answer.trim().length === 1 ? answer.trim().toUpperCase().charCodeAt(0) - 65 : -1;
  if (place >= 0 && place < choices.length) return place;
  throw new Fault(`"answer" is to be the letter or the text of one of the ${choices.length} choices, not ${JSON.stringify(answer)}`);
}

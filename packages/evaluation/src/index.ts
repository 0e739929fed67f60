export { type Contender, contendersOf } from "./contender.js";
export { type Grade, gradeAnswer } from "./grading/grade.js";
export { parseQuestions } from "./parse-questions.js";
export { type Check, expectedText, letterOf, promptOf, type Question } from "./question.js";
export {
  type EvaluationFile,
  type EvaluationHeader,
  type EvaluationResult,
  keyOf,
  lastResults,
  mismatches,
  readEvaluation,
} from "./records.js";
export { type ContenderSummary, type EvaluationSummary, type Pairing, summarise } from "./report/summarise.js";
export { summaryText } from "./report/summary-text.js";
export {
  type Attempt,
  type EvaluateOptions,
  type EvaluationEnd,
  evaluate,
  type Progress,
  type Spent,
  type Verdict,
} from "./running/evaluate.js";
export { pickQuestions } from "./running/pick-questions.js";
export { type Interval, wilsonInterval } from "./statistics/interval.js";
export { type PairCounts, type PairedDifference, pairedDifference } from "./statistics/paired.js";

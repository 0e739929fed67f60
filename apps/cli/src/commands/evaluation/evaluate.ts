import { createHash } from "node:crypto";
import { basename, join, resolve } from "node:path";
import { MassgenError } from "@massgen/contracts";
import {
  type Contender,
  type EvaluationEnd,
  type EvaluationHeader,
  type EvaluationResult,
  evaluate,
  keyOf,
  lastResults,
  parseQuestions,
  pickQuestions,
  promptOf,
  type Question,
  type Spent,
  summarise,
  summaryText,
} from "@massgen/evaluation";
import type { EvalRequest } from "../../args/request.js";
import { type ExitCode, INTERRUPTED } from "../../exit.js";
import type { Io } from "../../io.js";
import { cells } from "../../output/columns.js";
import { forecastText, progressLine, progressText, summaryLines } from "../../output/evaluation/evaluation-lines.js";
import { createReporter, mannerOf, type Reporter } from "../../output/evaluation/reporter.js";
import { counted } from "../../output/plain/names.js";
import type { Session } from "../../session.js";
import { askContender } from "./ask-contender.js";
import { type Contest, openContest } from "./contest.js";
import { type FoundDataset, findDataset } from "./find-dataset.js";
import { askJudge } from "./judge.js";
import { createResults, openResults, type ResultsFile } from "./results-file.js";
import { simulatedQuiz } from "./simulated-quiz.js";

const DEMO_DATASET = "@examples/arithmetic";

/** `massgen eval`: is this team worth it? */
export async function evaluateTeam(request: EvalRequest, io: Io, session: Session): Promise<ExitCode> {
  const reporter = createReporter(mannerOf(request.output.mode, request.json), io);
  const dataset = await findDataset(request.dataset ?? DEMO_DATASET, io);
  const all = parseQuestions(dataset.text, dataset.name);
  const questions = pickQuestions(all, request.limit, request.seed);
  if (request.judge === null && questions.some(({ check }) => check.grade === "judge")) throw judgeMissing(dataset.name);
  const contest = await openContest(request, io, simulatedQuiz(all));
  try {
    const header = headerOf({ request, contest, dataset, questions }, io);
    const results =
      request.results === null
        ? await createResults(join(io.cwd, ".massgen", "evaluations"), newName(dataset, header), header)
        : await openResults(resolve(io.cwd, request.results), header);
    try {
      return await conduct({ request, contest, questions, header, results, reporter }, io, session);
    } finally {
      await results.close();
    }
  } finally {
    await contest.close();
  }
}

interface Sitting {
  readonly request: EvalRequest;
  readonly contest: Contest;
  readonly questions: readonly Question[];
  readonly header: EvaluationHeader;
  readonly results: ResultsFile;
  readonly reporter: Reporter;
}

async function conduct(sitting: Sitting, io: Io, session: Session): Promise<ExitCode> {
  const { request, contest, questions, header, results, reporter } = sitting;
  const { path } = results;
  const known = lastResults(results.before);
  announce(sitting, known);
  const added: EvaluationResult[] = [];
  const startedMs = io.monotonic();
  const nameOf = new Map(contest.contenders.map(({ id, name, agent }) => [id, agent === null ? name : `${name} alone`]));
  const end = await evaluate({
    questions,
    contenders: contest.contenders,
    known,
    retryFailed: request.retryFailed,
    concurrency: request.concurrency,
    isSpent: (spent) => isSpent(spent, request),
    ask: (question, contender, signal) => askContender(askingOf(sitting, question, contender, signal, io), session),
    judge: (question, answer, signal) =>
      askJudge(
        { command: request.judge ?? "", timeoutMs: request.judgeTimeoutSeconds * 1000, passthrough: request.judgeEnv },
        question,
        answer,
        io,
        signal,
      ),
    record: async (result) => {
      await results.append(result);
      added.push(result);
    },
    onProgress: (progress) => {
      // Teams take longer than agents alone: nothing can be said before each has had its turn.
      const isEarly = added.length < contest.contenders.length || progress.done === progress.total;
      const left = isEarly ? null : ((io.monotonic() - startedMs) / added.length) * (progress.total - progress.done);
      const name = nameOf.get(progress.result.contender) ?? progress.result.contender;
      reporter.tell("RESULT", progressLine(progress), progressText(progress, name, left));
    },
    now: Date.now,
    signal: io.interrupt,
  });
  const summary = summarise(header, [...results.before, ...added]);
  for (const message of endTexts(end, path, request)) reporter.warn(message);
  reporter.conclude({
    text: `\n${summaryText(summary, cells)}\n\nresults ${path}`,
    json: { ...summary, results_file: path, ended: end },
    lines: [...summaryLines(summary), `${end === "finished" ? "COMPLETED" : "INCOMPLETE"}: ${path}`],
  });
  if (end === "interrupted") return INTERRUPTED;
  if (end === "spent") return 5;
  const isMute = summary.contenders.some(({ correct, wrong }) => correct + wrong === 0);
  return end === "gave_up" || isMute ? 2 : 0;
}

function announce({ request, contest, questions, header, results, reporter }: Sitting, known: ReadonlyMap<string, EvaluationResult>): void {
  for (const warning of contest.warnings) reporter.warn(warning);
  if (contest.simulated) reporter.tell("SIMULATED", "no model is asked", "simulated: no model is asked, the answers come from stand-ins");
  reporter.tell("DATASET", header.dataset.name, `data set: ${header.dataset.name}`);
  reporter.tell(
    "RESULTS_FILE",
    results.path,
    `results: ${results.path}${known.size === 0 ? "" : `, going on after ${counted(known.size, "result")}`}`,
  );
  const isOpen = (question: Question, contender: Contender): boolean => {
    const before = known.get(keyOf(question.id, contender.id));
    return before === undefined || (request.retryFailed && before.outcome === "failed");
  };
  const open = contest.contenders.flatMap((contender) => questions.filter((question) => isOpen(question, contender)).map(() => contender));
  const forecast = forecastText({
    questions: questions.length,
    contenders: contest.contenders.length,
    runs: open.length,
    leastCalls: open.reduce((total, contender) => total + contest.leastCallsOf(contender), 0),
    mostCalls: contest.mostCalls === null ? null : contest.mostCalls * open.length,
  });
  reporter.tell("FORECAST", forecast, forecast);
}

function askingOf(
  { request, contest, reporter }: Sitting,
  question: Question,
  contender: Contender,
  signal: AbortSignal,
  io: Io,
): Parameters<typeof askContender>[0] {
  const cliArgs = { command: "eval", question: question.id, contender: contender.id };
  const settings = { cwd: io.cwd, version: io.version, configPath: contest.configPath, cliArgs, debug: request.output.debug };
  const logs = { ...settings, simulated: contest.simulated, onWarning: reporter.warn };
  return {
    plan: { ...contest.planOf(contender), question: promptOf(question) },
    signal,
    logs: request.output.logs && contest.keepsLogs ? logs : null,
    telemetry: contest.measure(),
  };
}

function headerOf(
  { request, contest, dataset, questions }: Pick<Sitting, "request" | "contest" | "questions"> & { readonly dataset: FoundDataset },
  io: Io,
): EvaluationHeader {
  return {
    type: "evaluation",
    schema_version: 1,
    dataset: { name: dataset.name, sha256: createHash("sha256").update(dataset.text).digest("hex") },
    config: { path: contest.configPath, sha256: contest.sha256 },
    contenders: contest.contenders.map(({ id, name, agent }) => ({ id, name, agent })),
    questions: questions.map(({ id }) => id),
    seed: request.seed,
    simulated: contest.simulated,
    massgen_version: io.version,
    started_at: new Date().toISOString(),
  };
}

/** `arithmetic_20260102_101529`, in UTC. */
function newName({ name }: FoundDataset, { started_at }: EvaluationHeader): string {
  const stamp = started_at.replaceAll(/[-:]/g, "").replace("T", "_").slice(0, 15);
  return `${basename(name, ".jsonl")}_${stamp}`;
}

function endTexts(end: EvaluationEnd, path: string, request: EvalRequest): readonly string[] {
  const again = request.results === null ? `the same command with --results ${path}` : "the same command";
  switch (end) {
    case "finished":
      return [];
    case "interrupted":
      return [`interrupted; go on with ${again}`];
    case "gave_up":
      return [`five runs in a row failed, so nothing more is asked; once that is mended, go on with ${again} --retry-failed`];
    case "spent":
      return [`the limit of this sitting is reached (${limitsText(request)}); go on with ${again}`];
  }
}

/** A limit in dollars cannot be kept where a price is unknown, so that is its end as well. */
function isSpent({ calls, costUsd }: Spent, { maxCalls, maxCostUsd }: EvalRequest): boolean {
  return (maxCalls !== null && calls >= maxCalls) || (maxCostUsd !== null && (costUsd === null || costUsd >= maxCostUsd));
}

const limitsText = ({ maxCalls, maxCostUsd }: EvalRequest): string =>
  [
    ...(maxCalls === null ? [] : [`--max-calls ${maxCalls}`]),
    ...(maxCostUsd === null ? [] : [`--max-cost ${maxCostUsd}, or a price is unknown`]),
  ].join(", ");

const judgeMissing = (name: string): MassgenError =>
  new MassgenError("USAGE", `${name} has questions for a judge, and there is no --judge.`, {
    hint: 'Name a command that decides: --judge "node judge.mjs". It gets JSON on its standard input; exit 0 is right, 1 is wrong.',
  });

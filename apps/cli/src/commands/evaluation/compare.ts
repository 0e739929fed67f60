import { MassgenError } from "@massgen/contracts";
import type { Attempt, Contender } from "@massgen/evaluation";
import { DEMO_QUESTION } from "@massgen/simulator";
import type { CompareRequest } from "../../args/request.js";
import { type ExitCode, INTERRUPTED } from "../../exit.js";
import type { Io } from "../../io.js";
import { type Compared, comparisonJson, comparisonLines, comparisonText } from "../../output/evaluation/comparison.js";
import { createReporter, mannerOf, type Reporter } from "../../output/evaluation/reporter.js";
import type { Session } from "../../session.js";
import { findQuestion } from "../find-question.js";
import { askContender } from "./ask-contender.js";
import { type Contest, openContest } from "./contest.js";

/** `massgen compare [question]`: the team, then each of its agents alone, one after the other so that times can be compared. */
export async function compareOnce(request: CompareRequest, io: Io, session: Session): Promise<ExitCode> {
  const reporter = createReporter(mannerOf(request.output.mode, request.json), io);
  const contest = await openContest(request, io);
  try {
    if (contest.contenders.length < 2) throw nobodyToCompare(contest.configPath);
    const question = request.demo
      ? (request.run.question ?? DEMO_QUESTION)
      : await findQuestion(request.run.question, contest.config.prompt ?? null, io);
    announce(contest, question, reporter);
    const compared: Compared[] = [];
    for (const contender of contest.contenders) {
      const attempt = await ask({ request, contest, contender, question, reporter }, io, session);
      if (attempt === null) break;
      compared.push({ contender, attempt });
      reporter.tell(
        "DONE",
        contender.id,
        `${compared.length} of ${contest.contenders.length}: ${nameOf(contender)} ${attempt.answer === null ? "has no answer" : "has answered"}`,
      );
    }
    const isWhole = compared.length === contest.contenders.length;
    if (!isWhole) reporter.warn("interrupted; what is missing below was not asked");
    const comparison = { question, simulated: contest.simulated, compared };
    reporter.conclude({ text: comparisonText(comparison), json: comparisonJson(comparison), lines: comparisonLines(comparison) });
    if (!isWhole) return INTERRUPTED;
    return compared.some(({ attempt }) => attempt.answer === null) ? 2 : 0;
  } finally {
    await contest.close();
  }
}

const nameOf = ({ name, agent }: Contender): string => (agent === null ? name : `${name} alone`);

function announce(contest: Contest, question: string, reporter: Reporter): void {
  for (const warning of contest.warnings) reporter.warn(warning);
  if (contest.simulated) reporter.tell("SIMULATED", "no model is asked", "simulated: no model is asked, the answers come from stand-ins");
  reporter.tell("QUESTION", question, `question: ${question}`);
  const least = contest.contenders.reduce((total, contender) => total + contest.leastCallsOf(contender), 0);
  const forecast = `${contest.contenders.length} runs, at least ${least} calls to models`;
  reporter.tell("FORECAST", forecast, forecast);
}

interface Turn {
  readonly request: CompareRequest;
  readonly contest: Contest;
  readonly contender: Contender;
  readonly question: string;
  readonly reporter: Reporter;
}

function ask({ request, contest, contender, question, reporter }: Turn, io: Io, session: Session): Promise<Attempt | null> {
  if (io.interrupt.aborted) return Promise.resolve(null);
  const cliArgs = { command: "compare", contender: contender.id };
  const settings = { cwd: io.cwd, version: io.version, configPath: contest.configPath, cliArgs, debug: request.output.debug };
  const logs = { ...settings, simulated: contest.simulated, onWarning: reporter.warn };
  const plan = { ...contest.planOf(contender), question };
  const telemetry = contest.measure();
  return askContender({ plan, signal: io.interrupt, logs: request.output.logs && contest.keepsLogs ? logs : null, telemetry }, session);
}

const nobodyToCompare = (path: string | null): MassgenError =>
  new MassgenError("CONFIG_INVALID", `${path ?? "The team"} has one agent: there is nobody to compare it with.`, {
    exitCode: 1,
    hint: "Name a team of two or more with --config. Without a key: massgen compare --demo",
  });

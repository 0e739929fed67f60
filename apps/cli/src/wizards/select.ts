import { findTeams } from "@massgen/config/node";
import { MassgenError } from "@massgen/contracts";
import type { RunRequest } from "../args/request.js";
import { canAsk } from "../can-ask.js";
import { examplesDir } from "../examples-dir.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { visibleLine } from "../output/visible-text.js";
import { homeOf, readEnv } from "../read-env.js";
import type { Session } from "../session.js";
import { askQuestion } from "./place-team.js";
import { openPrompts } from "./prompts.js";
import { askChosen } from "./quickstart.js";

/** `massgen --select`: pick a team by typing a part of its name, then ask it. Without a terminal: the list, one a line. */
export async function selectTeam(
  { headless, run }: { readonly headless: boolean; readonly run: RunRequest },
  io: Io,
  session: Session,
): Promise<ExitCode> {
  const home = homeOf(io);
  const { env } = await readEnv(io);
  const teams = await findTeams({ cwd: io.cwd, home, examplesDir: examplesDir(env), env });
  if (headless) {
    io.out.write(teams.map(({ name, summary }) => `${visibleLine(name)}\t${visibleLine(summary)}\n`).join(""));
    return 0;
  }
  if (!canAsk(io))
    throw new MassgenError("CONFIG_INVALID", "--select asks a question, and there is no terminal to ask on.", {
      exitCode: 1,
      hint: "List what there is with massgen --select --headless, then name one: massgen --config <name>.",
    });
  const prompts = await openPrompts(io);
  prompts.open("Which team?");
  const name = await prompts.find(
    "Type a part of its name",
    teams.map((team) => ({ value: team.name, label: team.name, hint: team.summary })),
  );
  const question = await askQuestion(prompts, run.question);
  prompts.close(`massgen --config ${name}${question === null ? ' "your question"' : ""}`);
  return question === null ? 0 : askChosen({ ...run, config: name }, question, io, session);
}

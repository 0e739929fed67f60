import { readRequest } from "./args/read-request.js";
import type { CliRequest } from "./args/request.js";
import { reportError } from "./errors.js";
import { CANCELLED, type ExitCode, INTERRUPTED } from "./exit.js";
import type { Io } from "./io.js";
import type { Session } from "./session.js";

/** Does what the arguments say and gives the exit code. Never rejects: what goes wrong is said on stderr. */
export async function runCli(argv: readonly string[], io: Io, session: Session): Promise<ExitCode> {
  try {
    const { request, notes } = readRequest(argv, io);
    if ("output" in request) {
      session.automation = request.output.mode === "automation" || request.output.mode === "events";
      session.debug = request.output.debug;
    }
    for (const note of notes) io.err.write(`massgen: note: ${note}\n`);
    return await perform(request, io, session);
  } catch (error) {
    if (error === CANCELLED) return INTERRUPTED;
    // An interrupt before the run began: nothing to save, nothing to explain.
    if (io.interrupt.aborted && error === io.interrupt.reason) {
      session.close();
      if (session.automation) io.err.write("INTERRUPTED\n");
      return INTERRUPTED;
    }
    return reportError(error, session, io);
  }
}

/** Each command is loaded when it is needed, so that none pays for another. */
async function perform(request: CliRequest, io: Io, session: Session): Promise<ExitCode> {
  switch (request.kind) {
    case "run":
      return (await import("./commands/ask.js")).ask(request, io, session);
    case "dry-run":
      return (await import("./commands/dry-run.js")).runDry(request, io, session);
    case "quickstart":
      return (await import("./wizards/quickstart.js")).quickstart(request, io, session);
    case "generate-config":
      return (await import("./wizards/headless.js")).generateConfig(request, io);
    case "setup":
      return (await import("./wizards/setup.js")).setUp(request, io);
    case "init":
      return (await import("./wizards/init.js")).buildTeam(request.run, io, session);
    case "select":
      return (await import("./wizards/select.js")).selectTeam(request, io, session);
    case "compare":
      return (await import("./commands/evaluation/compare.js")).compareOnce(request, io, session);
    case "eval":
      return (await import("./commands/evaluation/evaluate.js")).evaluateTeam(request, io, session);
    case "demo":
      return (await import("./commands/demo.js")).runDemo(request, io, session);
    case "export":
      return (await import("./commands/export/export.js")).exportLog(request, io);
    case "shares":
      return (await import("./commands/export/shares.js")).manageShares(request, io);
    case "viewer":
      return (await import("./commands/viewer/viewer.js")).viewLog(request, io, session);
    case "viewer-page":
      return (await import("./commands/viewer/show-page.js")).showPage(request, io);
    case "clean":
      return (await import("./commands/clean.js")).cleanUp(request, io);
    case "logs":
      return (await import("./commands/logs/logs.js")).showLogs(request, io);
    case "skill":
      return (await import("./commands/skill.js")).skill(request, io);
    case "mcp":
      return (await import("./commands/mcp/mcp.js")).manageServers(request, io, session);
    case "mcp-serve":
      return (await import("./commands/mcp/serve-mcp.js")).serveMcp(request, io);
    case "serve":
      return (await import("./commands/serve.js")).serve(request, io);
    case "web":
      return (await import("./commands/web.js")).showWeb(request, io);
    case "worker":
      return (await import("./commands/worker.js")).work(request, io);
    case "replay":
      return (await import("./commands/replay.js")).replayLog(request.log, io);
    case "resume":
      return (await import("./commands/resume.js")).resumeRun(request, io, session);
    case "validate":
      return (await import("./commands/validate.js")).validateFile(request, io);
    case "config-explain":
      return (await import("./commands/config-explain.js")).explainValues(request, io);
    case "show-schema":
      return (await import("./commands/show-schema.js")).showSchema(request, io);
    case "list-examples":
      return (await import("./commands/examples.js")).listExamples(request.json, io);
    case "list-backends":
      return (await import("./commands/list-backends.js")).listBackends(request.json, io);
    case "update-prices":
      return (await import("./commands/update-prices.js")).updatePrices(request, io);
    case "list-models":
      return (await import("./commands/list-models.js")).listModels(request, io);
    case "list-sessions":
      return (await import("./commands/list-sessions.js")).listAllSessions(request, io);
    case "example":
      return (await import("./commands/examples.js")).printExample(request.name, io);
    case "doctor":
      return (await import("./commands/doctor.js")).examine(request, io);
    case "completion":
      return (await import("./commands/completion.js")).printCompletion(request.shell, io);
    case "topic":
      (await import("./commands/help.js")).showTopic(request.name, io);
      return 0;
    case "help":
      (await import("./commands/help.js")).showHelp(request.topic, io);
      return 0;
    case "version":
      io.out.write(`massgen ${io.version}\n`);
      return 0;
  }
}

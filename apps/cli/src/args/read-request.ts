import { MassgenError } from "@massgen/contracts";
import { findTopic, helpTopics } from "../help/topics.js";
import { cleanRequest } from "./clean-request.js";
import { type CommandEntry, commands, findCommand } from "./commands.js";
import { type Conflict, findConflicts, type Surroundings } from "./conflicts.js";
import { exportRequest, sharesRequest } from "./export-request.js";
import type { Flag } from "./flags.js";
import { numberOf, textOf } from "./given-values.js";
import { mcpRequest } from "./mcp-request.js";
import { flagsOf, type Given, parseArguments, usageOf } from "./program.js";
import { logsRequest, type Read } from "./record-request.js";
import {
  type CliRequest,
  type CompareRequest,
  type EvalRequest,
  type OutputRequest,
  type RunRequest,
  type SessionRequest,
  shells,
} from "./request.js";
import { mcpServeRequest, serveRequest } from "./serve-request.js";
import { setupRequest } from "./setup-requests.js";
import { skillRequest } from "./skill-request.js";
import { viewerRequest } from "./viewer-request.js";
import { webRequest } from "./web-request.js";
import { workerRequest } from "./worker-request.js";

export interface ReadRequest {
  readonly request: CliRequest;
  /** Said on stderr before anything else. */
  readonly notes: readonly string[];
}

/**
 * The request behind the arguments, `argv` without the program's own two.
 *
 * @throws MassgenError `USAGE` (exit 2) for a wrong command line, `CONFIG_INVALID` (exit 1) for the wrong use of a mode,
 * `NOT_SUPPORTED` (exit 1) for a flag or command of a feature that is not built.
 */
export function readRequest(argv: readonly string[], around: Surroundings): ReadRequest {
  const command = findCommand(argv[0]);
  if (command?.status === "known") throw notSupported(command);
  if (command?.name === "help") return { request: helpRequest(argv.slice(1)), notes: [] };

  const parsed = parseArguments(command?.name ?? null, command === undefined ? argv : argv.slice(1));
  if ("fault" in parsed) throw usageError(parsed.fault, command?.name ?? null);
  const { given, operand } = parsed;
  if (given.has("--help")) return { request: { kind: "help", topic: command?.name ?? null }, notes: [] };
  if (given.has("--version")) return { request: { kind: "version" }, notes: [] };

  const conflicts = findConflicts(given, { ...around, command: command?.name ?? null });
  const refused = conflicts.find((conflict) => conflict.kind !== "note");
  if (refused !== undefined) throw conflictError(refused, command?.name ?? null);
  const notes = conflicts.map((conflict) => conflict.message);

  const unbuilt = flagsOf(command?.name ?? null).filter((flag) => flag.status === "known" && given.has(flag.name));
  if (unbuilt.length > 0) throw flagsNotSupported(unbuilt);
  if (command?.name === "replay") {
    if (operand === null) throw usageError("replay needs the folder of a log, or: latest", "replay");
    return { request: { kind: "replay", log: operand }, notes };
  }
  if (command?.name === "logs") return { request: understood(logsRequest(given, parsed.operands), "logs"), notes };
  if (command?.name === "export") return { request: understood(exportRequest(given, operand), "export"), notes };
  if (command?.name === "clean") return { request: understood(cleanRequest(given, operand), "clean"), notes };
  if (command?.name === "viewer") return { request: understood(viewerRequest(given, operand), "viewer"), notes };
  if (command?.name === "shares") return { request: understood(sharesRequest(given, parsed.operands), "shares"), notes };
  if (command?.name === "mcp" && operand === "serve") {
    const [, spare] = parsed.operands;
    if (spare !== undefined) throw usageError(`unexpected argument ${JSON.stringify(spare)}`, "mcp");
    return { request: mcpServeRequest(given), notes };
  }
  if (command?.name === "mcp") return { request: understood(mcpRequest(given, parsed.operands), "mcp"), notes };
  if (command?.name === "compare") return { request: compareRequest(given, operand), notes };
  if (command?.name === "eval") return { request: evalRequest(given, operand), notes };
  if (command?.name === "skill") return { request: skillRequest(given, parsed.operands), notes };
  if (command?.name === "serve") {
    if (operand !== null) throw usageError(`unexpected argument ${JSON.stringify(operand)}`, "serve");
    return { request: serveRequest(given), notes };
  }
  if (command?.name === "worker") {
    if (operand !== null) throw usageError(`unexpected argument ${JSON.stringify(operand)}`, "worker");
    return { request: workerRequest(given), notes };
  }
  if (command?.name === "completion") return { request: completionRequest(operand), notes };
  if (command?.name === "doctor") {
    if (operand !== null) throw usageError(`unexpected argument ${JSON.stringify(operand)}`, "doctor");
    const request = {
      kind: "doctor",
      config: textOf(given, "--config"),
      online: given.has("--online"),
      json: given.has("--json"),
    } as const;
    return { request, notes };
  }
  if (command?.name === "config") return { request: explainRequest(given, parsed.operands), notes };
  return { request: command?.name === "demo" ? demoRequest(given, operand) : rootRequest(given, operand), notes };
}

function understood<T extends object>(read: Read<T>, command: string): T {
  if ("fault" in read) throw usageError(read.fault, command);
  return read;
}

function rootRequest(given: Given, operand: string | null): CliRequest {
  const file = textOf(given, "--validate");
  if (file !== null) return { kind: "validate", file, strict: given.has("--strict"), json: given.has("--json") };
  if (given.has("--show-schema"))
    return {
      kind: "show-schema",
      json: given.has("--json"),
      backend: textOf(given, "--schema-backend"),
      examples: given.has("--with-examples"),
    };
  if (given.has("--list-examples")) return { kind: "list-examples", json: given.has("--json") };
  if (given.has("--list-backends")) return { kind: "list-backends", json: given.has("--json") };
  if (given.has("--update-prices")) return { kind: "update-prices", url: textOf(given, "--update-prices") };
  if (given.has("--list-models")) return modelsRequest(given);
  if (given.has("--list-sessions")) return { kind: "list-sessions", all: given.has("--all"), json: given.has("--json") };
  const example = textOf(given, "--example");
  if (example !== null) return { kind: "example", name: example };
  const log = textOf(given, "--resume");
  if (log !== null) {
    if (operand !== null) throw usageError("--resume takes no question: the run has its own", null);
    return { kind: "resume", log, review: given.has("--review"), output: outputRequest(given) };
  }
  if (given.has("--web") || given.has("--web-quickstart")) return webRequest(given, operand);
  const run = runRequest(given, operand);
  if (given.has("--dry-run")) return { kind: "dry-run", run, json: given.has("--json"), output: run.output };
  const setup = setupRequest(given, run);
  if (setup === null) return run;
  if ("fault" in setup) throw usageError(setup.fault, null);
  return setup;
}

function completionRequest(operand: string | null): CliRequest {
  const shell = shells.find((name) => name === operand);
  if (shell !== undefined) return { kind: "completion", shell };
  const found = operand === null ? "" : `, not ${JSON.stringify(operand)}`;
  throw usageError(`completion needs a shell: ${shells.join(", ")}${found}`, "completion");
}

function explainRequest(given: Given, [verb, path]: readonly string[]): CliRequest {
  if (verb !== "explain") {
    const found = verb === undefined ? "" : `, not ${JSON.stringify(verb)}`;
    throw usageError(`config takes a verb: explain${found}`, "config");
  }
  return { kind: "config-explain", path: path ?? null, json: given.has("--json"), team: runRequest(given, null) };
}

function modelsRequest(given: Given): CliRequest {
  const baseUrl = textOf(given, "--base-url");
  const named = textOf(given, "--list-models") ?? textOf(given, "--backend");
  // An address alone speaks what almost every server speaks.
  return { kind: "list-models", provider: named ?? (baseUrl === null ? null : "chatcompletion"), baseUrl, json: given.has("--json") };
}

function runRequest(given: Given, question: string | null): RunRequest {
  return {
    kind: "run",
    question,
    config: textOf(given, "--config"),
    model: textOf(given, "--model"),
    backend: textOf(given, "--backend"),
    baseUrl: textOf(given, "--base-url"),
    systemMessage: textOf(given, "--system-message"),
    timeoutSeconds: numberOf(given, "--orchestrator-timeout"),
    record: given.has("--record") ? true : null,
    rateLimit: given.has("--rate-limit") ? true : null,
    singleAgent: given.has("--single-agent") ? (textOf(given, "--single-agent") ?? true) : null,
    coordinationMode: modeOf(given),
    quick: given.has("--quick") ? true : null,
    references: !given.has("--no-parse-at-references"),
    contextPaths: cwdContextOf(given),
    review: given.has("--review") ? true : null,
    session: sessionRequest(given),
    validation: given.has("--strict-validation") ? "strict" : given.has("--skip-validation") ? "skip" : "normal",
    output: outputRequest(given),
  };
}

/** The current directory, to read or to change. */
function cwdContextOf(given: Given): RunRequest["contextPaths"] {
  const access = textOf(given, "--cwd-context");
  return access === null ? [] : [{ path: ".", permission: access === "rw" || access === "write" ? "write" : "read" }];
}

function sessionRequest(given: Given): SessionRequest {
  const id = textOf(given, "--session-id");
  if (id !== null) return { id };
  return given.has("--continue") ? "newest" : given.has("--no-session-registry") ? "none" : "new";
}

function modeOf(given: Given): RunRequest["coordinationMode"] {
  const mode = textOf(given, "--coordination-mode");
  return mode === "parallel" || mode === "decomposition" ? mode : null;
}

const demoRequest = (given: Given, question: string | null): CliRequest => ({
  kind: "demo",
  question,
  record: given.has("--record") ? true : null,
  output: outputRequest(given),
});

const compareRequest = (given: Given, question: string | null): CompareRequest => ({
  kind: "compare",
  run: runRequest(given, question),
  demo: given.has("--demo"),
  json: given.has("--json"),
  output: outputRequest(given),
});

function evalRequest(given: Given, operand: string | null): EvalRequest {
  if (operand !== null) throw usageError(`unexpected argument ${JSON.stringify(operand)}; questions come with --dataset`, "eval");
  return {
    ...compareRequest(given, null),
    kind: "eval",
    dataset: textOf(given, "--dataset"),
    results: textOf(given, "--results"),
    retryFailed: given.has("--retry-failed"),
    limit: numberOf(given, "--limit"),
    seed: numberOf(given, "--seed"),
    concurrency: numberOf(given, "--concurrency") ?? 1,
    maxCalls: numberOf(given, "--max-calls"),
    maxCostUsd: numberOf(given, "--max-cost"),
    judge: textOf(given, "--judge"),
    judgeTimeoutSeconds: numberOf(given, "--judge-timeout") ?? 60,
    judgeEnv: (textOf(given, "--judge-env") ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])),
  };
}

function outputRequest(given: Given): OutputRequest {
  const mode = given.has("--stream-events")
    ? "events"
    : given.has("--automation")
      ? "automation"
      : given.has("--no-display")
        ? "plain"
        : null;
  const display = textOf(given, "--display");
  const named = display === "textual" || display === "rich" ? ({ display } as const) : {};
  return { mode, ...named, outputFile: textOf(given, "--output-file"), logs: !given.has("--no-logs"), debug: given.has("--debug") };
}

function helpRequest(args: readonly string[]): CliRequest {
  const topic = args[0] ?? null;
  if (topic === null || topic === "massgen") return { kind: "help", topic: null };
  const text = findTopic(args.join(" "));
  if (text !== undefined) return { kind: "topic", name: text.name };
  const command = findCommand(topic);
  if (command === undefined) {
    const names = [...new Set([...helpTopics.map(({ name }) => name), ...builtNames()])];
    throw usageError(`there is no help on ${JSON.stringify(args.join(" "))}; topics are ${names.join(", ")}`, null);
  }
  if (command.status === "known") throw notSupported(command);
  return { kind: "help", topic: command.name === "help" ? null : command.name };
}

const builtNames = (): readonly string[] => commands.filter((command) => command.status === "built").map((command) => command.name);

const usageError = (message: string, command: string | null): MassgenError =>
  new MassgenError("USAGE", message, {
    exitCode: 2,
    hint: `usage: massgen ${command === null ? "" : `${command} `}${usageOf(command)}   (all options: massgen ${command === null ? "" : `${command} `}--help)`,
  });

const conflictError = (conflict: Conflict, command: string | null): MassgenError =>
  conflict.kind === "config"
    ? new MassgenError("CONFIG_INVALID", conflict.message, { exitCode: 1 })
    : usageError(conflict.message, command);

const notSupported = (command: CommandEntry): MassgenError =>
  new MassgenError("NOT_SUPPORTED", `\`massgen ${command.name}\` is known but not supported yet.`, {
    exitCode: 1,
    hint: `To ask that word as a question, write: massgen -- ${command.name}`,
  });

function flagsNotSupported(unbuilt: readonly Flag[]): MassgenError {
  const names = unbuilt.map((flag) => `\`${flag.name}\``);
  const message = `${names.join(", ")} ${names.length === 1 ? "is" : "are"} known but not supported yet.`;
  return new MassgenError("NOT_SUPPORTED", message, { exitCode: 1, hint: "List what is supported with: massgen --help" });
}

import { MassgenError } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { readRequest } from "../../src/args/read-request.js";

const outcome = (line: string, stdinIsTerminal = true): unknown => {
  try {
    return readRequest(line.split(" "), { stdinIsTerminal });
  } catch (error) {
    if (MassgenError.is(error)) return { code: error.code, exitCode: error.exitCode, message: error.message };
    throw error;
  }
};

describe("flags that exclude each other (docs/spec/cli.md 4)", () => {
  it.each([
    ["--config a.yaml --select", "--config and --select"],
    ["--config a.yaml --backend openai", "--config and --backend"],
    ["--select --backend openai", "--select and --backend"],
    ["--single-agent x --coordination-mode decomposition", "--single-agent"],
    ["--personas perspective --coordination-mode decomposition", "--personas"],
    ["--web --web-quickstart", "--web and --web-quickstart"],
    ["--quickstart-agent id=a", "--quickstart-agent needs"],
    ["--quickstart --quickstart-agent id=a", "--quickstart-agent needs"],
    ["--quickstart --headless --quickstart-agent id=a --config-model m", "--config-model"],
    ["--continue --session-id x", "--continue and --session-id"],
    ["--continue --no-session-registry", "--no-session-registry and --continue"],
    ["--session-id x --no-session-registry", "--no-session-registry and --session-id"],
    ["--resume x --continue", "--resume and --continue"],
    ["--plan --spec", "--plan and --spec"],
    ["--plan --execute-plan latest", "--plan and --execute-plan"],
    ["--execute-spec latest --plan-and-execute", "--execute-spec and --plan-and-execute"],
    ["--eval-criteria a.json --checklist-criteria-preset b", "--eval-criteria and"],
    ["--strict", "--strict needs --validate"],
    ["--json", "--json needs"],
    ["--with-examples", "--with-examples needs --show-schema"],
    ["--schema-backend openai", "--schema-backend needs --show-schema"],
    ["--strict-validation --skip-validation", "--strict-validation and --skip-validation"],
    ["--quickstart --setup", "--quickstart and --setup"],
    ["--init --select", "--init and --select"],
    ["--setup --generate-config a.yaml", "--setup and --generate-config"],
    ["--quickstart --setup-docker", "--quickstart and --setup-docker"],
    ["--quickstart --resume latest", "--quickstart and --resume"],
    ["--quickstart --model gpt-5", "--quickstart and --model"],
    ["--quickstart --backend openai", "--quickstart and --backend"],
    ["--select --base-url http://h/v1", "--select and --base-url"],
    ["--generate-config a.yaml --config b.yaml", "--generate-config and --config"],
    ["--setup --config b.yaml", "--setup and --config"],
    ["--init --config b.yaml", "--init and --config"],
    ["--headless why?", "--headless needs --quickstart or --setup or --select"],
    ["--config-agents 2 why?", "--config-agents needs --generate-config"],
    ["--config-docker", "--config-docker needs --generate-config"],
    ["--config-context-path .", "--config-context-path needs --generate-config"],
  ])("%s is a usage error", (line, saying) => {
    expect(outcome(line)).toMatchObject({ code: "USAGE", exitCode: 2, message: expect.stringContaining(saying) });
  });

  const pairsOf = (...flags: readonly string[]): readonly (readonly [string, string])[] =>
    flags.flatMap((one, place) => flags.slice(place + 1).map((other) => [one, other] as const));

  it.each([
    ...pairsOf("--config a", "--select", "--backend openai"),
    ...pairsOf("--plan", "--spec", "--execute-plan latest", "--execute-spec latest", "--plan-and-execute"),
    ...pairsOf("--quickstart", "--setup", "--init", "--select", "--generate-config a.yaml", "--resume latest", "--dry-run"),
  ])("any two exclude each other: %s and %s", (one, other) => {
    const [first = "", second = ""] = [one, other].map((flag) => flag.split(" ")[0]);
    const saying = expect.stringMatching(new RegExp(`${first} and ${second}|${second} and ${first}`));
    expect(outcome(`${one} ${other}`)).toMatchObject({ code: "USAGE", exitCode: 2, message: saying });
    expect(outcome(`${other} ${one}`)).toMatchObject({ code: "USAGE", exitCode: 2 });
  });

  it.each([
    ["--plan-and-execute --broadcast human", "--broadcast human"],
    ["--step", "--session-dir"],
  ])("%s is a wrong use of a mode: exit 1", (line, saying) => {
    expect(outcome(line)).toMatchObject({ code: "CONFIG_INVALID", exitCode: 1, message: expect.stringContaining(saying) });
  });

  it.each(["--personas off --coordination-mode decomposition", "--quick --fast"])("%s is no conflict, only not supported yet", (line) => {
    expect(outcome(line)).toMatchObject({ code: "NOT_SUPPORTED", exitCode: 1 });
  });

  it("a pipe is as good as --headless for --quickstart-agent", () => {
    const agents = [{ id: "a", backend: "groq", model: null, reasoningEffort: null }];
    const request = { kind: "quickstart", agents };
    expect(outcome("--quickstart --quickstart-agent id=a,type=groq", false)).toMatchObject({ request: { ...request, headless: false } });
    expect(outcome("--quickstart --headless --quickstart-agent id=a,type=groq")).toMatchObject({ request: { ...request, headless: true } });
  });

  it("--all without --list-sessions is ignored with a note", () => {
    expect(outcome("--all why?")).toMatchObject({
      notes: ["--all is ignored without --list-sessions"],
      request: { kind: "run", question: "why?" },
    });
  });
});

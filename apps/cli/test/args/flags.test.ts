import { MassgenError } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/args/commands.js";
import { type Flag, flags } from "../../src/args/flags.js";
import { helpText, helpTexts, parseArguments } from "../../src/args/program.js";
import { readRequest } from "../../src/args/read-request.js";
import { findTopic, helpTopics } from "../../src/help/topics.js";

/** A word the flag takes as its value. */
function sample(flag: Flag): string {
  if (flag.value === null) return "";
  const { kind } = flag.value;
  return typeof kind === "object" ? (kind.choices[0] ?? "") : kind === "text" ? "word" : "7";
}
const wordsFor = (flag: Flag): readonly string[] => (flag.value === null ? [flag.name] : [flag.name, sample(flag)]);

const errorOf = (argv: readonly string[], stdinIsTerminal = true): MassgenError => {
  try {
    readRequest(argv, { stdinIsTerminal });
  } catch (error) {
    if (MassgenError.is(error)) return error;
    throw error;
  }
  throw new Error(`no error for ${argv.join(" ")}`);
};

describe("every flag of the table", () => {
  it.each(flags.map((flag) => [flag.name, flag] as const))("%s parses, with = too, and is absent by default", (name, flag) => {
    const spellings = [
      wordsFor(flag),
      ...(flag.value === null ? [] : [[`${name}=${sample(flag)}`]]),
      ...(flag.alias === undefined ? [] : [[flag.alias, ...wordsFor(flag).slice(1)]]),
    ];
    for (const words of spellings) {
      const parsed = parseArguments(null, words);
      expect(parsed, words.join(" ")).toMatchObject({ operand: null });
      const expected = flag.value === null ? true : typeof flag.value.kind === "string" && flag.value.kind !== "text" ? 7 : sample(flag);
      expect("given" in parsed && parsed.given.get(name), words.join(" ")).toEqual([expected]);
    }
    const none = parseArguments(null, []);
    expect("given" in none && none.given.has(name)).toBe(false);
  });

  it.each(flags.filter((flag) => flag.value !== null && flag.value.optional !== true).map((flag) => [flag.name]))(
    "%s without its value is a usage error",
    (name) => {
      expect(errorOf([name])).toMatchObject({ code: "USAGE", exitCode: 2, message: expect.stringContaining(name) });
    },
  );

  it.each(flags.filter((flag) => flag.status === "known" && flag.name !== "--all").map((flag) => [flag.name, flag] as const))(
    "%s is known but not supported yet: exit 1, never ignored",
    (name, flag) => {
      const companions: Readonly<Record<string, readonly string[]>> = {
        "--step": ["--session-dir", "x"],
      };
      const error = errorOf([...wordsFor(flag), ...(companions[name] ?? [])]);
      expect(error).toMatchObject({ code: "NOT_SUPPORTED", exitCode: 1 });
      expect(error.message).toContain(`\`${name}\``);
      expect(error.message).toContain("known but not supported yet");
    },
  );

  it.each(flags.map((flag) => [flag.name, flag] as const))("%s stands in the help exactly if it is built", (name, flag) => {
    const listed = helpText(null)
      .split("\n")
      .some((line) => line.trim().split(/ {2,}/)[0]?.split(/, | /).includes(name) === true);
    expect(listed).toBe(flag.status === "built");
  });

  it("has no name twice", () => {
    const names = flags.flatMap((flag) => [flag.name, ...(flag.alias === undefined ? [] : [flag.alias])]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("values", () => {
  it.each([
    [["--orchestrator-timeout", "0"], "above 0"],
    [["--orchestrator-timeout", "1.5"], "above 0"],
    [["--orchestrator-timeout", "soon"], "above 0"],
    [["--web-port", "70000"], "0 to 65535"],
    [["--display", "huge"], "rich, textual"],
    [["--plan-steps", "-1"], "above 0"],
  ])("%j is a usage error that says what is right", (argv, saying) => {
    expect(errorOf(argv)).toMatchObject({ code: "USAGE", exitCode: 2, message: expect.stringContaining(saying) });
  });
});

describe("the command line", () => {
  it("takes a bare question and leaves everything else at its default", () => {
    expect(readRequest(["Why?"], { stdinIsTerminal: true })).toEqual({
      notes: [],
      request: {
        kind: "run",
        question: "Why?",
        config: null,
        model: null,
        backend: null,
        baseUrl: null,
        systemMessage: null,
        timeoutSeconds: null,
        rateLimit: null,
        singleAgent: null,
        coordinationMode: null,
        quick: null,
        record: null,
        references: true,
        contextPaths: [],
        review: null,
        validation: "normal",
        session: "new",
        output: { mode: null, outputFile: null, logs: true, debug: false },
      },
    });
  });

  it.each([
    [["--automation"], { mode: "automation" }],
    [["--stream-events"], { mode: "events" }],
    [["--stream-events", "--automation"], { mode: "events" }],
    [["--no-display"], { mode: "plain" }],
    [["--automation", "--no-display"], { mode: "automation" }],
    [["--no-logs", "--debug", "--output-file", "a.md"], { logs: false, debug: true, outputFile: "a.md" }],
  ])("%j chooses the output", (argv, output) => {
    expect(readRequest([...argv, "Why?"], { stdinIsTerminal: true }).request).toMatchObject({ output });
    expect(readRequest(["demo", ...argv], { stdinIsTerminal: true }).request).toMatchObject({ kind: "demo", output });
  });

  it("suggests the nearest flag, built or not", () => {
    expect(errorOf(["--confg", "x"]).message).toBe("unknown option '--confg' (Did you mean --config?)");
    expect(errorOf(["--contine"]).message).toContain("--continue");
    expect(errorOf(["--confg"])).toMatchObject({ code: "USAGE", exitCode: 2, hint: expect.stringMatching(/^usage: massgen \[options\]/) });
  });

  it("asks for quotes when the question comes in several words", () => {
    expect(errorOf(["what", "is", "this"])).toMatchObject({ code: "USAGE", message: expect.stringContaining('unexpected argument "is"') });
  });

  it.each(commands.filter((command) => command.status === "known").map((command) => [command.name]))(
    "`massgen %s` is known but not supported yet, and after -- it is a question",
    (name) => {
      expect(errorOf([name, "--json"])).toMatchObject({ code: "NOT_SUPPORTED", exitCode: 1, hint: expect.stringContaining(`-- ${name}`) });
      expect(readRequest(["--", name], { stdinIsTerminal: true }).request).toMatchObject({ kind: "run", question: name });
    },
  );

  it("reads everything after -- as the question", () => {
    expect(readRequest(["--automation", "--", "--version"], { stdinIsTerminal: true }).request).toMatchObject({ question: "--version" });
  });

  it.each([
    [["--help"], { kind: "help", topic: null }],
    [["--config", "x", "-h"], { kind: "help", topic: null }],
    [["help"], { kind: "help", topic: null }],
    [["help", "demo"], { kind: "help", topic: "demo" }],
    [["demo", "--help"], { kind: "help", topic: "demo" }],
    [["--automation", "-V"], { kind: "version" }],
    [["--validate", "a.yaml", "--strict", "--json"], { kind: "validate", file: "a.yaml", strict: true, json: true }],
    [["--list-examples", "--json"], { kind: "list-examples", json: true }],
    [["--list-backends", "--json"], { kind: "list-backends", json: true }],
    [["--list-models"], { kind: "list-models", provider: null, baseUrl: null, json: false }],
    [["--list-models", "groq", "--json"], { kind: "list-models", provider: "groq", baseUrl: null, json: true }],
    [["--list-models", "--backend", "groq"], { kind: "list-models", provider: "groq", baseUrl: null, json: false }],
    [
      ["--list-models", "--base-url", "http://h/v1"],
      { kind: "list-models", provider: "chatcompletion", baseUrl: "http://h/v1", json: false },
    ],
    [["--example", "one"], { kind: "example", name: "one" }],
  ])("%j is %j", (argv, request) => {
    expect(readRequest(argv, { stdinIsTerminal: true }).request).toEqual(request);
  });

  it("reads what an evaluation is asked to do", () => {
    expect(readRequest(["eval", "--dataset", "a.jsonl", "--config", "team.yaml"], { stdinIsTerminal: true }).request).toMatchObject({
      kind: "eval",
      dataset: "a.jsonl",
      results: null,
      retryFailed: false,
      limit: null,
      seed: null,
      concurrency: 1,
      maxCalls: null,
      maxCostUsd: null,
      judge: null,
      judgeTimeoutSeconds: 60,
      demo: false,
      json: false,
      run: { config: "team.yaml", question: null },
    });
    expect(readRequest(["compare", "--demo", "--json", "Why?"], { stdinIsTerminal: true }).request).toMatchObject({
      kind: "compare",
      demo: true,
      json: true,
      run: { question: "Why?" },
    });
  });

  it.each([
    [["eval"], "eval needs --dataset"],
    [["eval", "--dataset", "a", "b"], 'unexpected argument "b"'],
    [["eval", "--dataset", "a", "--retry-failed"], "--retry-failed needs --results"],
    [["eval", "--dataset", "a", "--judge-timeout", "3"], "--judge-timeout needs --judge"],
    [["eval", "--demo", "--config", "a"], "--demo and --config exclude each other"],
    [["compare", "--json", "--automation", "Why?"], "--automation and --json exclude each other"],
    [["compare", "--dataset", "a", "Why?"], "unknown option '--dataset'"],
    [["--dataset", "a"], "unknown option '--dataset'"],
    [["eval", "--dataset", "a", "--limit", "0"], "above 0"],
  ])("%j is a usage error", (argv, saying) => {
    expect(errorOf(argv)).toMatchObject({ code: "USAGE", exitCode: 2, message: expect.stringContaining(saying) });
  });

  it("says which topics the help has", () => {
    expect(errorOf(["help", "votes"])).toMatchObject({
      code: "USAGE",
      exitCode: 2,
      message: expect.stringContaining("demo, compare, eval, help"),
    });
  });

  it("has help on every command that is built", () => {
    const built = commands.filter(({ name, status }) => status === "built" && name !== "help").map(({ name }) => name);
    expect(Object.keys(helpTexts())).toEqual(["", ...built, ...helpTopics.map(({ name }) => `topic ${name}`)]);
    for (const name of built) expect(helpTexts()[name]).toMatch(new RegExp(`^Usage: massgen ${name} `));
  });

  it("reads the same in the help as last reviewed", async () => {
    await expect(helpText(null)).toMatchFileSnapshot("../golden/help.txt");
    for (const command of ["compare", "eval"]) await expect(helpText(command)).toMatchFileSnapshot(`../golden/help-${command}.txt`);
    await expect(helpText("demo")).toMatchFileSnapshot("../golden/help-demo.txt");
    await expect(helpText("config")).toMatchFileSnapshot("../golden/help-config.txt");
  });

  it.each(commands.flatMap(({ name, about }) => (about === undefined ? [] : [name])))(
    "of %s has a use of its own and examples",
    (command) => {
      const text = helpText(command);
      expect(text).toMatch(new RegExp(`^Usage: massgen ${command} `));
      expect(text.split("Examples:\n")[1]).toContain(`massgen ${command}`);
      expect(readRequest([command, "--help"], { stdinIsTerminal: true }).request).toEqual({ kind: "help", topic: command });
    },
  );

  it.each(helpTopics.flatMap(({ name, aliases }) => [name, ...aliases].map((word) => [word, name] as const)))(
    "on %s is a text",
    (word, name) => {
      expect(readRequest(["help", ...word.split(" ")], { stdinIsTerminal: true }).request).toEqual({ kind: "topic", name });
      expect(findTopic(word)?.text).toMatch(/^\S.*\n\n/);
    },
  );

  it("on no topic names those there are", () => {
    expect(errorOf(["help", "nothing"]).message).toContain("config, tools, modes, exit-codes");
  });
});

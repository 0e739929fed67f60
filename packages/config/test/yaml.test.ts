import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { formatIssues, type LoadedConfig, parseConfig } from "../src/index.js";

const fixture = (name: string): LoadedConfig =>
  parseConfig(readFileSync(new URL(`./fixtures/yaml/${name}`, import.meta.url), "utf8"), { file: name });
const errors = (loaded: LoadedConfig): readonly string[] =>
  loaded.issues
    .filter((issue) => issue.severity === "error")
    .map((issue) => `${issue.span?.line ?? ""}:${issue.span?.column ?? ""} ${issue.code} ${issue.message} | ${issue.hint}`);

describe("YAML that surprises", () => {
  it.each([
    ["tab.yaml", ["4:1 CFG004 a tab cannot be used for indentation | Indent with spaces."]],
    ["colon.yaml", ["8:21 CFG004 a value with ': ' in it is read as another key | Put the value in quotes: system_message: \"…\""]],
    [
      "windows-path-bad.yaml",
      [
        "8:15 CFG004 a backslash in double quotes starts an escape, and this one is unknown | Use single quotes for Windows paths and patterns: 'C:\\work'.",
      ],
    ],
    ["duplicate-key.yaml", ["7:7 CFG005 key 'model' is given twice (first at line 5) | Remove one of them."]],
    ["utf16.yaml", ["1:4 CFG004 the text holds NUL characters; the file is probably UTF-16 | Save it as UTF-8."]],
    [
      "empty.yaml",
      [
        ": CFG007 the file is empty; a config is a map of keys | A small one: agents: [{id: one, backend: {type: openrouter, model: openai/gpt-5-nano}}]",
      ],
    ],
    [
      "number-model.yaml",
      [
        "5:14 CFG031 'model' must be text, found the number 3.10 | Put it in quotes: model: \"3.10\"",
        "7:16 CFG033 'api_key' must be text, found a number | Put it in quotes: api_key: \"…\"",
      ],
    ],
    [
      "big-int.yaml",
      [
        "8:13 CFG033 9007199254740993 cannot be kept exactly as a number | Put it in quotes if it is text; otherwise use a number of at most 9007199254740991.",
        "10:19 CFG033 'max_tokens' must be a whole number above 0, found the text '4_096' | Write max_tokens: 4096",
      ],
    ],
    [
      "word-ids.yaml",
      [
        "14:9 CFG026 'id' must be text, found nothing | If it is a word, put it in quotes: id: \"null\"",
        "20:9 CFG026 'id' must be text, found the number 1e3 | Put it in quotes: id: \"1e3\"",
        "26:9 CFG026 'id' must be text, found the number 0x1F | Put it in quotes: id: \"0x1F\"",
      ],
    ],
    [
      "word-options.yaml",
      [
        "8:26 CFG033 'enable_web_search' must be true or false, found the text 'no' | YAML 1.2 reads this as text; write enable_web_search: false",
        "9:32 CFG033 'enable_code_interpreter' must be true or false, found the text 'off' | YAML 1.2 reads this as text; write enable_code_interpreter: false",
      ],
    ],
    ["alias-bomb.yaml", ["1:28 CFG004 aliases (*name) stand for too many values | Write the values out, or share smaller blocks."]],
    [
      "undefined-variable.yaml",
      [
        "7:16 CFG111 environment variable 'NO_SUCH_VARIABLE_ANYWHERE' is not set, so there is no API key | Set NO_SUCH_VARIABLE_ANYWHERE, or put it in a .env file.",
      ],
    ],
  ])("CF-02: %s stops with a place and a way out", (name, expected) => {
    const loaded = fixture(name);
    expect(errors(loaded)).toEqual(expected);
    expect(loaded.config).toBeNull();
  });

  it("CF-02: a byte order mark and CRLF do not matter", () => {
    const { config, issues } = fixture("bom-crlf.yaml");
    expect(issues).toEqual([]);
    expect(config?.agents[0]).toMatchObject({ id: "solo", backend: { model: "replay-model", apiKey: "replay-key-not-secret-0000" } });
  });

  it("CF-02: a merge key shares a block, and an own key wins over it", () => {
    const { config, issues } = fixture("merge.yaml");
    expect(issues).toEqual([]);
    expect(config?.agents.map(({ backend }) => [backend.type, backend.model])).toEqual([
      ["chatcompletion", "replay-model"],
      ["chatcompletion", "second-model"],
    ]);
  });

  it("CF-02: ids of any script stay as they are, words of other YAML versions are words", () => {
    expect(fixture("chinese-ids.yaml").config?.agents.map((agent) => agent.id)).toEqual(["研究员 一号", "critique-émile"]);
    const words = parseConfig(
      readFileSync(new URL("./fixtures/yaml/word-ids.yaml", import.meta.url), "utf8")
        .split("\n")
        .slice(0, 13)
        .join("\n"),
    );
    expect(words.config?.agents.map((agent) => agent.id)).toEqual(["no", "on"]);
  });

  it("CF-02: a single-quoted Windows path is read as it stands", () => {
    expect(fixture("windows-path-good.yaml").raw).toMatchObject({ agents: [{ backend: { cwd: "C:\\work\\new" } }] });
  });

  it("anything else a parser may meet is an issue as well", () => {
    const codes = (text: string): readonly string[] => parseConfig(text).issues.map((issue) => `${issue.code} ${issue.message}`);
    expect(codes("a: *nope")).toEqual(["CFG004 the alias '*nope' has no anchor '&nope' above it"]);
    expect(codes("a: &a [*a]")).toEqual(["CFG004 the alias '*a' contains itself"]);
    expect(codes("? {a: b}\n: c")).toEqual(["CFG004 a key must be text"]);
    expect(codes("x-a: !secret b\nagent: {id: a, backend: {type: groq}}")).toEqual(["CFG004 YAML tags have no meaning here"]);
    expect(codes(`a: ${"[".repeat(300)}${"]".repeat(300)}`)).toEqual(["CFG004 values are nested more than 100 levels deep"]);
    expect(codes("<<: 3\na: 1")).toEqual(["CFG004 a merge key (<<) needs a map, or a list of maps"]);
    expect(codes("null: 1")).toEqual(["CFG004 a key must be text"]);
    expect(codes("seed: .inf")).toContain("CFG033 .inf cannot be kept exactly as a number");
  });

  it("a version directive does not bring back the words of YAML 1.1", () => {
    const { issues } = parseConfig("%YAML 1.1\n---\nagent: {id: no, backend: {type: groq}}\n");
    expect(issues).toEqual([]);
  });

  it("JSON is read like YAML, with tabs and escaped pairs", () => {
    const { config, issues } = parseConfig('{\n\t"agent": {"id": "\\ud83d\\ude00", "backend": {"type": "groq"}}\n}');
    expect(issues).toEqual([]);
    expect(config?.agents[0]?.id).toBe("😀");
  });

  it("one mistake in a shared block is told once, where it stands", () => {
    const { issues } = parseConfig(
      "x-b: &b {type: openrouter, model: m, temprature: 1}\nagents:\n  - {id: a, backend: *b}\n  - {id: b, backend: *b}\n",
    );
    expect(issues.map((issue) => [issue.code, issue.span?.line, issue.span?.column])).toEqual([["CFG042", 1, 38]]);
  });

  it("a key called __proto__ is a key", () => {
    const { issues, raw } = parseConfig("__proto__: {polluted: true}\nagent: {id: a, backend: {type: groq}}\n");
    expect(issues.map((issue) => issue.code)).toEqual([]);
    expect(Object.keys(raw as object)).toEqual(["__proto__", "agent"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("the report", () => {
  it("shows the line, a caret run and the way out", () => {
    const loaded = parseConfig(
      "agents:\n  - id: 研究\n    backend: {type: openrouter, model: m}\n    sytem_message: x\nui: {display_type: tiny}\n",
      { file: "team.yaml" },
    );
    expect(formatIssues(loaded.issues, { source: loaded.source })).toMatchInlineSnapshot(`
      "Configuration Errors Found:

      ⚠️ team.yaml:4:5 [agents[0].sytem_message] unknown key 'sytem_message'
          4 |     sytem_message: x
            |     ^^^^^^^^^^^^^
         💡 Did you mean 'system_message'?
      ❌ team.yaml:5:20 [ui.display_type] 'tiny' is not valid for 'display_type'
          5 | ui: {display_type: tiny}
            |                    ^^^^
         💡 Allowed: rich_terminal, textual_terminal, rich, textual, terminal, simple, silent, none.

      1 error, 1 warning"
    `);
  });

  it("puts the caret right after wide characters", () => {
    const loaded = parseConfig("agent: {id: 研究员, backend: {type: claud, model: m}}");
    const [, line, carets] = formatIssues(loaded.issues, { source: loaded.source }).split("\n").slice(2);
    expect(line).toContain("研究员");
    expect(carets).toBe(`      | ${" ".repeat("agent: {id: xxxxxx, backend: {type: ".length)}^^^^^`);
  });
});

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of configs
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatIssues, issuesAsJson, parseConfig, validateConfig } from "../src/index.js";
import { parseEnvFile } from "../src/node/index.js";

const valid = `# a team
x-common: &common {type: openrouter, model: "m", temperature: 0.5}
agents:
  - id: ada
    backend:
      <<: *common
      reasoning: {effort: high}
    system_message: |
      Be brief.
  - id: "bob"
    backend: {type: groq, api_key: '\${KEY:-none}', base_url: "http://localhost:1/v1"}
orchestrator:
  voting_sensitivity: strict
  tie_break: [confidence, peer_votes]
timeout_settings: {orchestrator_timeout_seconds: 60}
ui: {display_type: simple}
`;

/** Pieces that mean something to YAML, mixed at random. */
const yamlish = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "agents:",
        "agent: ",
        "- ",
        "  ",
        "\n",
        ": ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "&a ",
        "*a",
        "<<: ",
        '"',
        "'",
        "|\n",
        ">-\n",
        "#",
        "!t ",
        "? ",
        "---\n",
        "%YAML 1.1\n",
        "${A",
        "}",
        "\t",
        "\r\n",
        "backend: ",
        "id: ",
        "null",
        "0x1F",
        "1e999",
        "~",
        "\\",
        "\u0000",
        "\ufeff",
        "__proto__: ",
        "type: openai",
        "api_key: ",
        "mcp_servers: ",
      ),
      fc.string({ maxLength: 5, unit: "binary" }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

/** The valid team with a stretch taken out, doubled, or replaced. */
const damaged = fc
  .tuple(fc.nat(valid.length), fc.nat(20), fc.oneof(yamlish, fc.constant("")))
  .map(([at, length, put]) => valid.slice(0, at) + put + valid.slice(at + length));

describe("any text", () => {
  it("gives a config or at least one error, and a report, and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(yamlish, damaged, fc.string({ unit: "binary" })), (text) => {
        const loaded = parseConfig(text, { file: "t.yaml", env: { A: "1" } });
        expect(loaded.config === null).toBe(loaded.issues.some((issue) => issue.severity === "error"));
        expect(formatIssues(loaded.issues, { source: loaded.source, color: true })).not.toBe("");
        expect(JSON.parse(JSON.stringify(issuesAsJson(loaded.issues))).valid).toBe(loaded.config !== null);
      }),
      { numRuns: 800 },
    );
  }, 60_000);

  it("has issues in the order of its lines, each on a line that exists", () => {
    fc.assert(
      fc.property(fc.oneof(yamlish, damaged), (text) => {
        const { issues, source } = parseConfig(text);
        const lines = issues.map((issue) => issue.span?.line ?? 0);
        expect(lines).toEqual(lines.toSorted((a, b) => a - b));
        expect(Math.max(0, ...lines)).toBeLessThanOrEqual(source?.text.split("\n").length ?? 0);
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  it("is read as a .env file without throwing", () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.oneof(fc.constantFrom("A=", "export B=", '"', "'", "\\", "\n", "\r\n", "#", " ", "="), fc.string({ maxLength: 4 })))
          .map((parts) => parts.join("")),
        (text) => {
          for (const name of parseEnvFile(text).values.keys()) expect(name).toMatch(/^[A-Za-z_]\w*$/);
        },
      ),
    );
  });
});

describe("any object", () => {
  it("gives a config or at least one error, and never throws", () => {
    const objects = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
      fc.anything().map((agents) => ({ agents })),
      fc.anything().map((backend) => ({ agent: { id: "a", backend } })),
    );
    fc.assert(
      fc.property(objects, (object) => {
        const { config, issues } = validateConfig(object);
        expect(config === null).toBe(issues.some((issue) => issue.severity === "error"));
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  it("that contains itself is told", () => {
    const object: Record<string, unknown> = {};
    object["agent"] = object;
    expect(validateConfig(object).config).toBeNull();
  });
});

describe("positions", () => {
  const key = fc.stringMatching(/^[a-z][a-z_]{0,11}$/);

  it("point at exactly the characters of every key", () => {
    const tree = fc.uniqueArray(
      fc.record({
        key,
        children: fc.uniqueArray(key, { maxLength: 4 }),
        indent: fc.integer({ min: 1, max: 5 }),
        gap: fc.constantFrom("", "\n", "# comment\n", "\r\n"),
      }),
      { selector: (node) => node.key, minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(tree, (nodes) => {
        const text = nodes
          .map((node) => `${node.gap}x-${node.key}:${node.children.map((name) => `\n${" ".repeat(node.indent)}${name}: 1`).join("")}\n`)
          .join("");
        const { positions } = parseConfig(text);
        const lines = text.split("\n");
        for (const node of nodes) {
          for (const [path, name] of [
            [`x-${node.key}`, `x-${node.key}`],
            ...node.children.map((child) => [`x-${node.key}.${child}`, child]),
          ] as [string, string][]) {
            const span = positions.key(path);
            expect(lines[span!.line - 1]!.slice(span!.column - 1, span!.column - 1 + span!.length)).toBe(name);
          }
        }
      }),
    );
  });

  it("answer for what was moved and for the one-agent form by both names", () => {
    const { positions } = parseConfig("agent:\n  id: a\n  temperature: 1\n  backend: {type: groq}\n");
    expect(positions.key("agents[0].backend.temperature")).toEqual({ line: 3, column: 3, length: 11 });
    expect(positions.value("agent.backend.type")).toEqual({ line: 4, column: 19, length: 4 });
    expect(positions.key("agents[7]")).toBeNull();
  });
});

describe("size", () => {
  it("a thousand agents are read within seconds", () => {
    const agents = Array.from(
      { length: 1_000 },
      (_, index) => `  - id: agent-${index}\n    backend: {type: openrouter, model: m, temprature: 1, custom_tools_path: w}\n`,
    );
    const { config, issues } = parseConfig(`agents:\n${agents.join("")}`, { file: "t.yaml" });
    expect(config?.agents.length).toBe(1_000);
    expect(issues.length).toBe(2_000);
    expect(
      formatIssues(issues)
        .split("\n")
        .filter((line) => line.includes("CFG120") || line.includes("known but not supported")),
    ).toHaveLength(1);
  }, 20_000);

  it("work grows with the number of agents, not with its square", () => {
    const work = (count: number): number => {
      const agents = Array.from({ length: count }, (_, index) => ({
        id: `agent-${index}`,
        backend: { type: "openrouter", model: "m", temprature: 1 },
      }));
      const start = process.cpuUsage();
      validateConfig({ agents });
      const used = process.cpuUsage(start);
      return used.user + used.system;
    };
    work(500);
    const small = Math.min(work(500), work(500), work(500));
    const large = Math.min(work(5_000), work(5_000));
    // Ten times the agents: a hundred times the work if it were quadratic.
    expect(large / small).toBeLessThan(45);
  }, 60_000);
});

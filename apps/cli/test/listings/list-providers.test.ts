import { listProviders } from "@massgen/config";
import { describe, expect, it } from "vitest";
import { providerTable } from "../../src/listings/provider-table.js";

const rowOf = (type: string, env: Readonly<Record<string, string>> = {}) => listProviders(env, () => true).find((row) => row.type === type);

describe("the list of providers", () => {
  it.each([
    ["openai", {}, "missing"],
    ["openai", { OPENAI_API_KEY: "" }, "missing"],
    ["openai", { OPENAI_API_KEY: "  " }, "missing"],
    ["openai", { OPENAI_API_KEY: "sk-1" }, "set"],
    ["gemini", { GEMINI_API_KEY: "g-1" }, "set"],
    ["vllm", {}, "optional"],
    ["vllm", { VLLM_API_KEY: "v-1" }, "set"],
    ["ollama", {}, "none"],
    ["claude_code", {}, "optional"],
  ])("the key of %s with %j is %s", (type, env, state) => {
    expect(rowOf(type, env as Readonly<Record<string, string>>)?.key).toBe(state);
  });

  it("never holds the key itself, nor does the table", () => {
    const rows = listProviders({ OPENAI_API_KEY: "sk-very-secret", VLLM_API_KEY: "another-secret" }, () => true);
    expect(JSON.stringify(rows) + providerTable(rows)).not.toMatch(/secret/);
  });

  it("says what is local and what works today", () => {
    const rows = listProviders({}, (type) => type === "ollama");
    expect(rows.filter(({ supported }) => supported).map(({ type }) => type)).toEqual(["ollama"]);
    expect(rows.filter(({ local }) => local).map(({ type }) => type)).toEqual(["lmstudio", "vllm", "sglang", "inference", "ollama"]);
  });

  it("is a table with straight columns and no blanks at the ends of its lines", () => {
    const lines = providerTable(listProviders({}, () => true))
      .trimEnd()
      .split("\n");
    const column = lines[0]?.indexOf("WHERE") ?? 0;
    for (const line of lines) {
      expect(line).toBe(line.trimEnd());
      expect(line.slice(column - 2, column)).toBe("  ");
    }
    expect(lines.find((line) => line.startsWith("ollama"))).toMatch(/^ollama +Ollama +- +- +- +local +yes$/);
  });
});

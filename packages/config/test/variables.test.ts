// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of configs
import { describe, expect, it } from "vitest";
import { validateConfig } from "../src/index.js";

describe("variables", () => {
  const message = (text: string, env: Record<string, string> = {}): string | null | undefined =>
    validateConfig({ agent: { id: "a", system_message: text, backend: { type: "groq" } } }, { env }).config?.agents[0]?.systemMessage;

  it.each([
    ["a ${X} b", { X: "1" }, "a 1 b"],
    ["${X}${Y}", { X: "1", Y: "2" }, "12"],
    ["${X:-d}", {}, "d"],
    ["${X:-d}", { X: "" }, "d"],
    ["${X:-}!", {}, "!"],
    ["$${X}", { X: "1" }, "${X}"],
    ["$X ${x y} ${cwd}", { X: "1" }, "$X ${x y} ${cwd}"],
    ["${X}", { X: "${Y}", Y: "2" }, "${Y}"],
  ])("%j with %j is %j", (text, env, expected) => {
    expect(message(text, env as Record<string, string>)).toBe(expected);
  });

  it("keys are never expanded, numbers never produced", () => {
    const { config, issues } = validateConfig(
      { agent: { id: "a", backend: { type: "groq", "${X}": "${X}", temperature: "${X}" } } },
      { env: { X: "1" } },
    );
    expect(config).toBeNull();
    expect(issues).toMatchObject([{ code: "CFG033", message: "'temperature' must be a number, found the text '${X}'" }]);
  });
});

import { parseConfig } from "@massgen/config";
import { describe, expect, it } from "vitest";
import { showSchema } from "../../src/commands/show-schema.js";
import { schemaExamples } from "../../src/listings/schema-examples.js";
import { fakeIo } from "../fake-io.js";

function shown(request: Partial<Parameters<typeof showSchema>[0]>): string {
  const { io, out } = fakeIo({ cwd: "/" });
  expect(showSchema({ json: false, backend: null, examples: false, ...request }, io)).toBe(0);
  return out();
}

describe("--show-schema", () => {
  it("lists keys by section with type, default and meaning, and names the others", () => {
    const text = shown({});
    expect(text).toMatch(/^timeout_settings$/m);
    expect(text).toMatch(/^ {2}orchestrator_timeout_seconds +a positive number of seconds \(1800\) +From the start to the decision\.$/m);
    expect(text).toMatch(/^ {2}budget\.warn_at +a number from 0 to 1 \(0\.8\)/m);
    expect(text).toMatch(/^ {2}Not supported yet: /m);
    expect(text).not.toMatch(/undefined|\[object/);
  });

  it("keeps the keys of one provider for those who ask for it", () => {
    expect(shown({})).not.toContain("thinking_config");
    const text = shown({ backend: "Google" });
    expect(text).toMatch(/^Gemini\n {2}type: gemini \(also google\)\n {2}model: gemini-/);
    expect(text).toContain("thinking_config");
  });

  it("refuses a provider that is none, with the list", () => {
    expect(() => shown({ backend: "nobody" })).toThrow(/There is no provider "nobody"/);
  });

  it("is a JSON Schema with --json", () => {
    expect(JSON.parse(shown({ json: true }))).toMatchObject({ title: "MassGen configuration", type: "object" });
    expect(JSON.parse(shown({ json: true, examples: true })).examples).toHaveLength(schemaExamples.length);
  });

  it.each(schemaExamples)("shows an example that is valid: $title", ({ yaml }) => {
    expect(shown({ examples: true })).toContain(yaml);
    expect(parseConfig(yaml).issues).toEqual([]);
  });
});

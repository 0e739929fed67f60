import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type ConfigIssue, configJsonSchema, keySections, parseConfig, validateConfig } from "../src/index.js";
import { keyNotes } from "../src/schema/key-notes.js";
import { damage, seeded } from "./mutations.js";
import { exampleTexts, formTexts, sampleObjects } from "./sample-configs.js";
import { configOf, surveyRows } from "./survey-rows.js";

const schema = configJsonSchema();
const accepts = new Ajv2020({ strictTypes: false, allErrors: true }).compile(schema);
const faults = (): string => JSON.stringify(accepts.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`));

/** What is wrong with one value by itself, in the words of the check. */
const isTypeError = ({ severity, message }: ConfigIssue): boolean =>
  severity === "error" && /'[\w-]+' must be (?!an http)|is not valid for '|must be a non-empty list|needs a 'backend' map/.test(message);

describe("the JSON schema", () => {
  it.each([...exampleTexts])("accepts the example %s", (_, text) => {
    expect(accepts(parse(text, { merge: true })), faults()).toBe(true);
  });

  it.each(formTexts)("accepts a form in use: %s", (text) => {
    expect(parseConfig(text).config).not.toBeNull();
    expect(accepts(parse(text, { merge: true })), faults()).toBe(true);
  });

  it("accepts every key path in use", () => {
    const refused = surveyRows.filter((row) => !accepts(configOf(row))).map(({ path }) => `${path} ${faults()}`);
    expect(refused).toEqual([]);
  });

  it("refuses what the check calls a wrong value, and nothing that the check is content with", () => {
    const pick = seeded(20_260_102);
    const unlike: unknown[] = [];
    for (let round = 0; round < 3_000; round++) {
      const config = damage(sampleObjects[pick(sampleObjects.length)], pick);
      const { issues } = validateConfig(config, { env: { NOPE: "set" } });
      const accepted = accepts(config);
      if (accepted && issues.some(isTypeError))
        unlike.push({ issues: issues.filter(isTypeError).map((issue) => issue.path + issue.message) });
      if (!accepted && issues.length === 0) unlike.push({ config, faults: faults() });
    }
    expect(unlike.slice(0, 3)).toEqual([]);
  }, 60_000);

  it("describes nearly every key that works, and none that is gone", () => {
    const text = JSON.stringify(schema);
    const stale = Object.keys(keyNotes).filter((path) => !text.includes(`"${path.replace(/^.*\./, "")}":`));
    expect(stale).toEqual([]);
    const rows = keySections().flatMap((section) => section.rows);
    // What is only handed on, or only for one vendor, may go by its name; what we act on ourselves may not.
    const bare = rows.filter(({ works, note, only, type }) => works && note === "" && only.length === 0 && type !== "");
    expect(bare.length, bare.map(({ key }) => key).join(", ")).toBeLessThan(rows.length / 20);
    expect(schema["$schema"]).toBe("https://json-schema.org/draft/2020-12/schema");
  });

  it("has the words and defaults of the table", () => {
    const $defs = schema["$defs"] as Record<string, { properties: Record<string, unknown> }>;
    expect($defs["orchestrator"]!.properties["voting_sensitivity"]).toMatchObject({
      enum: ["lenient", "balanced", "strict", null],
      default: "lenient",
    });
    expect($defs["timeout_settings"]!.properties["orchestrator_timeout_seconds"]).toMatchObject({ default: 1_800, exclusiveMinimum: 0 });
    expect($defs["backend"]!.properties["max_retries"]).toMatchObject({ default: 3, minimum: 0 });
  });
});

it("the survey has a row for every path", () => {
  expect(surveyRows.length).toBe(
    readFileSync(new URL("./fixtures/survey-paths.tsv", import.meta.url), "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#")).length,
  );
});

import type { JsonSchema } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { geminiToolSchema } from "../src/tool-schema.js";
import { brokenRules } from "./vendor-rules.js";

const object = (properties: JsonSchema): JsonSchema => ({ type: "object", properties });

describe("schemas (SC-02)", () => {
  it.each<[string, JsonSchema, JsonSchema | null]>([
    ["no parameters", { type: "object" }, null],
    ["empty parameters, closed", { $schema: "x", type: "object", properties: {}, additionalProperties: false }, null],
    [
      "an open map",
      { type: "object", properties: {}, additionalProperties: { type: "string" } },
      { type: "object", properties: {}, additionalProperties: { type: "string" } },
    ],
    [
      "texts to choose from, one of them empty",
      object({ tag: { type: "string", description: "A tag.", enum: ["", "x"] } }),
      object({ tag: { type: "string", description: 'A tag. One of: "", "x".', enum: ["x"] } }),
    ],
    ["numbers to choose from", object({ level: { type: "integer", enum: [1, 2] } }), object({ level: { type: "integer", enum: [1, 2] } })],
    [
      "booleans to choose from",
      object({ yes: { enum: [true], description: "Confirm." } }),
      object({ yes: { type: "boolean", description: "Confirm. One of: true." } }),
    ],
    ["a constant text", object({ mode: { const: "fast" } }), object({ mode: { type: "string", enum: ["fast"] } })],
    ["a constant", object({ no: { const: null } }), object({ no: { description: "One of: null." } })],
    [
      "parameters that are called like keywords",
      object({
        enum: { type: "string" },
        const: { type: "boolean" },
        type: { type: "string" },
        properties: { type: "string" },
        $ref: { type: "string" },
      }),
      object({
        enum: { type: "string" },
        const: { type: "boolean" },
        type: { type: "string" },
        properties: { type: "string" },
        $ref: { type: "string" },
      }),
    ],
    [
      "choices deep inside",
      object({ rows: { type: "array", items: { anyOf: [{ enum: [false] }, { type: "string", format: "email", pattern: "@" }] } } }),
      object({
        rows: {
          type: "array",
          items: {
            anyOf: [
              { type: "boolean", description: "One of: false." },
              { type: "string", format: "email", pattern: "@" },
            ],
          },
        },
      }),
    ],
    [
      "references",
      {
        type: "object",
        $defs: { point: object({ x: { type: "number" } }) },
        properties: { from: { $ref: "#/$defs/point" } },
        required: ["from", "ghost"],
      },
      { type: "object", properties: { from: object({ x: { type: "number" } }) }, required: ["from"] },
    ],
  ])("%s", (_, given, expected) => {
    const sent = geminiToolSchema(given);
    expect(sent).toEqual(expected);
    const declaration = { name: "t", ...(sent === null ? {} : { parametersJsonSchema: sent }) };
    expect(brokenRules({ tools: [{ functionDeclarations: [declaration] }], contents: [{ role: "user", parts: [{ text: "x" }] }] })).toEqual(
      [],
    );
  });
});

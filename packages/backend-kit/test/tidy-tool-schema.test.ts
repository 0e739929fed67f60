import type { JsonSchema } from "@massgen/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tidyToolSchema } from "../src/index.js";

const point = { type: "object", properties: { x: { type: "number" }, y: { type: "number" } }, required: ["x", "y"] };

describe("tidyToolSchema (SC-02)", () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    ["nothing at all", {}, { type: "object", properties: {} }],
    ["no properties", { type: "object" }, { type: "object", properties: {} }],
    [
      "keywords of the document",
      { $schema: "http://json-schema.org/draft-07/schema#", $id: "x", type: "object", properties: {}, additionalProperties: false },
      { type: "object", additionalProperties: false, properties: {} },
    ],
    [
      "an array without items",
      { type: "object", properties: { rows: { type: "array" }, cells: { type: "array", items: {} } }, required: ["rows"] },
      { type: "object", properties: { rows: { type: "array", items: {} }, cells: { type: "array", items: {} } }, required: ["rows"] },
    ],
    [
      "alternatives at the root",
      { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: { type: "string" }, b: { type: "string" } } },
      { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
    ],
    [
      "alternatives with properties",
      { oneOf: [{ properties: { a: {} } }, { properties: { b: {} }, required: ["b"] }] },
      { type: "object", properties: { a: {}, b: {} } },
    ],
    [
      "parts that all hold",
      { allOf: [{ properties: { a: {} }, required: ["a"] }, { properties: { b: {} } }] },
      { type: "object", properties: { a: {}, b: {} }, required: ["a"] },
    ],
    [
      "lists of types, constants and enums stay",
      {
        type: "object",
        properties: {
          limit: { type: ["integer", "null"], default: null },
          mode: { const: "fast" },
          tag: { type: "string", enum: ["", "x"] },
        },
      },
      {
        type: "object",
        properties: {
          limit: { type: ["integer", "null"], default: null },
          mode: { const: "fast" },
          tag: { type: "string", enum: ["", "x"] },
        },
      },
    ],
    [
      "references",
      {
        type: "object",
        $defs: { point },
        properties: { from: { $ref: "#/$defs/point", description: "Start." }, to: { $ref: "#/$defs/point" } },
        required: ["from"],
      },
      { type: "object", properties: { from: { ...point, description: "Start." }, to: point }, required: ["from"] },
    ],
    [
      "foreign and broken references",
      { type: "object", properties: { a: { $ref: "https://elsewhere/x.json" }, b: { $ref: "#/$defs/none" }, c: { $ref: "#/%zz" } } },
      { type: "object", properties: { a: {}, b: {}, c: {} } },
    ],
    ["a reference at the root", { $ref: "#/definitions/point", definitions: { point } }, point],
    [
      "required names that are no properties",
      { type: "object", properties: { a: {} }, required: ["a", "ghost"] },
      { type: "object", properties: { a: {} }, required: ["a"] },
    ],
    [
      "a choice inside stays",
      { type: "object", properties: { who: { anyOf: [{ type: "array" }, { type: "null" }] } } },
      { type: "object", properties: { who: { anyOf: [{ type: "array", items: {} }, { type: "null" }] } } },
    ],
  ])("%s", (_, schema, expected) => expect(tidyToolSchema(schema)).toEqual(expected));

  it("takes parameters that are called like keywords for parameters", () => {
    const properties = Object.fromEntries(
      ["type", "title", "properties", "required", "enum", "$ref", "format", "items"].map((name) => [name, { type: "string" }]),
    );
    expect(tidyToolSchema({ type: "object", properties, required: ["type", "properties"] })).toEqual({
      type: "object",
      properties,
      required: ["type", "properties"],
    });
  });

  it("cuts recursion after three turns", () => {
    const schema = {
      type: "object",
      $defs: { node: { type: "object", properties: { child: { $ref: "#/$defs/node" } } } },
      properties: { tree: { $ref: "#/$defs/node" } },
    };
    const turn = (inner: object) => ({ type: "object", properties: { child: inner } });
    expect(tidyToolSchema(schema)).toEqual({ type: "object", properties: { tree: turn(turn(turn({}))) } });
  });

  it("stays small although references multiply", () => {
    const level = (n: number) => ({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`p${i}`, { $ref: `#/$defs/l${n + 1}` }])),
    });
    const schema = {
      type: "object",
      $defs: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`l${n}`, level(n)])),
      properties: { top: { $ref: "#/$defs/l0" } },
    };
    expect(JSON.stringify(tidyToolSchema(schema)).length).toBeLessThan(200_000);
  });

  it("never throws, and always gives an object with properties", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("type", "$ref", "items", "properties", "required", "anyOf", "allOf", "$defs"), fc.jsonValue()),
        (schema) => {
          expect(tidyToolSchema(schema as JsonSchema)).toMatchObject({ type: "object", properties: expect.any(Object) });
        },
      ),
    );
  });
});

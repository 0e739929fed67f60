import type { JsonSchema, JsonValue } from "@massgen/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSchema } from "../src/tools/schema-check.js";

const object = (properties: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}): JsonSchema =>
  ({ type: "object", properties, ...more }) as JsonSchema;

const check = async (schema: JsonSchema, input: JsonValue): Promise<string | null> => (await compileSchema(schema, "they"))(input);

describe("arguments of a server's tool", () => {
  const schema = object(
    {
      path: { type: "string" },
      head: { type: "integer", minimum: 1 },
      mode: { enum: ["text", "raw"] },
      deep: object({ n: { type: "number" } }),
    },
    { required: ["path"] },
  );
  const rows: readonly (readonly [JsonValue, string | null])[] = [
    [{ path: "a" }, null],
    [{ path: "a", head: 3, mode: "raw", deep: { n: 1.5 } }, null],
    // Nobody said that there is nothing else.
    [{ path: "a", unknown: true }, null],
    [{}, "they must have required property 'path'"],
    [{ path: 1 }, "path must be string"],
    [{ path: "a", head: "3" }, "head must be integer"],
    [{ path: "a", head: 0 }, "head must be >= 1"],
    [{ path: "a", mode: "fast" }, 'mode must be one of "text", "raw"'],
    [{ path: "a", deep: { n: "x" } }, "deep.n must be number"],
    [[], "they must be object"],
    [{ path: 1, head: 0 }, "path must be string; head must be >= 1"],
  ];
  it.each(rows)("%j: %s", async (input, fault) => expect(await check(schema, input)).toBe(fault));

  it("nothing else is allowed where the schema says so", async () => {
    const closed = object({ a: { type: "string" } }, { additionalProperties: false });
    expect(await check(closed, { a: "x", b: 1 })).toBe('they must not have "b"');
  });

  it("a page of faults is cut", async () => {
    const many = object(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, { type: "string" }])));
    const input = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, at]));
    expect(await check(many, input)).toMatch(/^k0 must be string; .*k4 must be string; and 4 more$/);
  });
});

describe("a schema that is no use lets everything through", () => {
  const chain = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`d${at}`, { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] }]),
  );
  const useless: readonly (readonly [string, JsonSchema])[] = [
    ["another document", object({ a: { $ref: "https://example.com/schema.json" } })],
    ["no schema", object({ a: "string" })],
    ["a pattern that is none", object({ a: { type: "string", pattern: "(" } })],
    ["a pattern without end", object({ a: { type: "string", pattern: "^(a+)+$" } })],
    ["a chain without end", object({ a: { $ref: "#/$defs/d0" } }, { $defs: { ...chain, d40: { type: "number" } } })],
  ];
  it.each(useless)("%s", async (_what, schema) => expect(await check(schema, { a: `${"a".repeat(40)}!` })).toBeNull());

  it("whatever the schema, no check throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.object({ maxDepth: 3 }), fc.jsonValue(), async (schema, input) => {
        const fault = await check(schema as JsonSchema, input as JsonValue);
        expect(fault === null || fault.length > 0).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

it("a dialect of its own, names two tools share, and a wish to answer later are no obstacle", async () => {
  expect(await check(object({ a: { type: "string" } }, { $async: true }), { a: 1 })).toBe("a must be string");
  for (const $schema of ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", "urn:own"])
    expect(await check(object({ a: { type: "string" } }, { $schema, $id: "urn:tool" }), { a: 1 })).toBe("a must be string");
});

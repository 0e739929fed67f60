import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addFragment, gatherCalls, isWhole, openToolCalls, parseArguments, type ToolCallFragment } from "../src/index.js";

const f = (fragment: Partial<ToolCallFragment>): ToolCallFragment => ({ index: null, id: "", name: "", arguments: null, ...fragment });

function gather(fragments: readonly Partial<ToolCallFragment>[], taken: readonly string[] = []) {
  let made = 0;
  const open = openToolCalls(taken, () => `made_${++made}`);
  const deltas = fragments.map((fragment) => addFragment(open, f(fragment)));
  return { calls: gatherCalls(open), deltas };
}
const called = (fragments: readonly Partial<ToolCallFragment>[]) =>
  gather(fragments).calls.map(({ tool, argumentsText }) => `${tool}(${argumentsText})`);

describe("fragments find their call", () => {
  it.each<[string, readonly Partial<ToolCallFragment>[], readonly string[]]>([
    [
      "by index",
      [
        { index: 0, id: "a", name: "x" },
        { index: 1, id: "b", name: "y" },
        { index: 0, arguments: "{}" },
        { index: 1, arguments: '{"q":1}' },
      ],
      ["x({})", 'y({"q":1})'],
    ],
    ["without anything: the last one", [{ id: "a", name: "x", arguments: "{" }, { arguments: "}" }], ["x({})"]],
    [
      "a new id begins a call",
      [
        { id: "a", name: "x", arguments: "{}" },
        { id: "b", name: "x", arguments: "{}" },
      ],
      ["x({})", "x({})"],
    ],
    [
      "a repeated id does not",
      [
        { id: "a", name: "x", arguments: "{" },
        { id: "a", name: "x", arguments: "}" },
      ],
      ["x({})"],
    ],
    [
      "a name after a complete call begins one",
      [
        { name: "x", arguments: '{"q":"}"}' },
        { name: "x", arguments: "{}" },
      ],
      ['x({"q":"}"})', "x({})"],
    ],
    [
      "a repeated name in the middle does not",
      [
        { name: "x", arguments: '{"q":' },
        { name: "x", arguments: "1}" },
      ],
      ['x({"q":1})'],
    ],
    [
      "a repeated name behind the end, with nothing else, does not",
      [
        { index: 0, name: "x", arguments: "{}" },
        { index: 0, name: "x", arguments: "" },
      ],
      ["x({})"],
    ],
    [
      "another name begins one, even behind a call without arguments",
      [{ name: "now" }, { name: "lookup", arguments: "{}" }],
      ["now()", "lookup({})"],
    ],
    [
      "all under index 0 with ids of their own (Gemini's compatible endpoint)",
      [
        { index: 0, id: "a", name: "x", arguments: "{}" },
        { index: 0, id: "b", name: "y", arguments: "{}" },
      ],
      ["x({})", "y({})"],
    ],
    [
      "all under one id with indexes of their own",
      [
        { index: 0, id: "a", name: "x", arguments: "{}" },
        { index: 1, id: "a", name: "y", arguments: "{}" },
      ],
      ["x({})", "y({})"],
    ],
    [
      "a new id for every piece of one call",
      [
        { index: 0, id: "a", name: "x", arguments: '{"q"' },
        { index: 0, id: "b", arguments: ":1}" },
      ],
      ['x({"q":1})'],
    ],
    [
      "the name comes last",
      [
        { index: 0, id: "a", arguments: "{}" },
        { index: 0, name: "x" },
      ],
      ["x({})"],
    ],
    [
      "the id comes last",
      [
        { index: 0, name: "x", arguments: "{" },
        { index: 0, id: "a", arguments: "}" },
      ],
      ["x({})"],
    ],
    ["arguments as an object", [{ id: "a", name: "x", arguments: { q: [1] } }], ['x({"q":[1]})']],
    ["a fragment with nothing in it is none", [{}, { index: 3 }], []],
    ["arguments without a name are kept, to be answered", [{ arguments: "{}" }], ["({})"]],
  ])("%s", (_, fragments, expected) => expect(called(fragments)).toEqual(expected));

  it("however the arguments of two interleaved calls are cut, they come out as they were", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1), fc.string())), (pieces) => {
        const heads = [f({ index: 0, id: "a", name: "x" }), f({ index: 1, id: "b", name: "y" })];
        const { calls } = gather([...heads, ...pieces.map(([index, text]) => f({ index, arguments: text }))]);
        for (const index of [0, 1])
          expect(calls[index]?.argumentsText).toBe(
            pieces
              .flatMap(([at, text]) => (at === index ? [text] : []))
              .join("")
              .trim(),
          );
      }),
    );
  });

  it("a name in every fragment costs no more than the arguments are long", () => {
    const pieces = Array.from({ length: 20_000 }, () => f({ name: "x", arguments: '"01234567890123456789012345678901234567890123456",' }));
    const before = performance.now();
    const { calls } = gather([f({ name: "x", arguments: "[" }), ...pieces]);
    expect(calls[0]?.argumentsText.length).toBeGreaterThan(900_000);
    // Quadratic work would take minutes.
    expect(performance.now() - before).toBeLessThan(3000);
  });
});

describe("ids", () => {
  it("are invented where there is none, and are not the vendor's where it was used before", () => {
    const { calls } = gather(
      [
        { name: "x", arguments: "{}" },
        { id: "used", name: "y", arguments: "{}" },
        { id: "fresh", name: "z", arguments: "{}" },
      ],
      ["used", "made_1"],
    );
    expect(calls.map(({ callId }) => callId)).toEqual(["made_2", "made_3", "fresh"]);
  });

  it("stay once they were shown, also when the vendor sends its own later", () => {
    const { calls, deltas } = gather([
      { index: 0, name: "x", arguments: "{" },
      { index: 0, id: "late", arguments: "}" },
    ]);
    expect([...new Set([...deltas.map((delta) => delta?.callId), calls[0]?.callId])]).toEqual(["made_1"]);
  });
});

it("what is shown of a call waits for its name, and then adds up to its arguments", () => {
  const { deltas } = gather([
    { index: 0, id: "a", arguments: "{" },
    { index: 0, arguments: '"q"' },
    { index: 0, name: "x" },
    { index: 0, arguments: ":1}" },
  ]);
  expect(deltas).toEqual([null, null, { callId: "a", tool: "x", json: '{"q"' }, { callId: "a", tool: "x", json: ":1}" }]);
});

describe("parseArguments", () => {
  it.each([
    ["", {}],
    ["null", {}],
    ["{}", {}],
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['"{\\"a\\":1}"', { a: 1 }],
  ])("%j", (text, input) => expect(parseArguments(text)).toEqual({ input }));

  it.each(['{"path":"plan.md","te', '{"q":"red"}{"q":"blue"}', "[1]", "12", '"text"', "undefined"])(
    "%j is an error that quotes it",
    (text) => {
      const { input, inputError } = parseArguments(text);
      expect(input).toEqual({});
      expect(inputError).toContain(text);
    },
  );

  it("quotes 300 characters at most", () => {
    expect(parseArguments(`{"a":"${"x".repeat(5000)}`).inputError?.length).toBeLessThan(500);
  });

  it("a call under a token limit is whole only when its object is", () => {
    expect(["", "{", '{"a":1', '{"a":1}', "null"].map(isWhole)).toEqual([false, false, false, true, true]);
  });
});

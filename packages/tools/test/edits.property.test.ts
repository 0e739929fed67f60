import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchGlob } from "../src/node/files/match-glob.js";
import { replaceText } from "../src/node/files/replace-text.js";
import { type Desk, openDesk, treeHash } from "./desk.js";

const lineEnd = fc.constantFrom("\n", "\r\n");
const word = fc.constantFrom("alpha", "beta", "beta", "", "  gamma", "$&", "ä☂", "\ttab", "x\u200by");
const anyText = fc.array(fc.tuple(word, lineEnd), { maxLength: 12 }).map((lines) => lines.map(([text, end]) => text + end).join(""));
const toLf = (text: string): string => text.replaceAll("\r\n", "\n");

/** Overlapping ones too. */
function placesOf(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}

describe("replacing", () => {
  it("a text that overlaps itself is ambiguous, whatever its line ends", () => {
    expect(replaceText("beta\r\nbeta\nbeta\n", { oldText: "beta\nb", newText: "", replaceAll: false })).toEqual({
      type: "ambiguous",
      lines: [1, 2],
    });
    expect(replaceText("aaa", { oldText: "aa", newText: "b", replaceAll: true })).toMatchObject({ text: "ba", count: 1 });
  });

  it("is, line ends aside, what splitting and joining gives; all outside of the matches stays as it was", () => {
    const part = fc.tuple(anyText, fc.nat(40), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(part, anyText, fc.boolean(), ([text, start, length], newText, replaceAll) => {
        const oldText = text.slice(start % (text.length + 1)).slice(0, length);
        const pieces = oldText === "" ? [text] : toLf(text).split(toLf(oldText));
        const result = replaceText(text, { oldText, newText, replaceAll });
        if (toLf(oldText) === "" || pieces.length === 1) {
          expect(result.type).toBe("absent");
          return;
        }
        const places = placesOf(toLf(text), toLf(oldText));
        if (places > 1 && !replaceAll) {
          expect(result.type).toBe("ambiguous");
          return;
        }
        if (result.type !== "replaced") throw new Error(result.type);
        expect(toLf(result.text)).toBe(pieces.join(toLf(newText)));
        const [before, after] = [text.indexOf(oldText), text.length - text.lastIndexOf(oldText) - oldText.length];
        const splitsPair = oldText.startsWith("\n") && text[before - 1] === "\r";
        if (places === 1 && before >= 0 && !splitsPair) {
          expect(result.text.slice(0, before)).toBe(text.slice(0, before));
          expect(result.text.slice(result.text.length - after)).toBe(text.slice(text.length - after));
        }
      }),
    );
  });
});

describe("matching names", () => {
  it("takes time in proportion to pattern and name, however a pattern is made", () => {
    const matches = matchGlob(`${"*a".repeat(120)}b`);
    const startedAt = performance.now();
    for (let round = 0; round < 100; round++) matches("a".repeat(255));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

type Step =
  | { readonly do: "write" | "read" | "somebody"; readonly file: string; readonly text: string }
  | { readonly do: "edit"; readonly file: string; readonly text: string; readonly to: string };

const file = fc.constantFrom("a.txt", "b.txt", "dir/c.txt", "dir/deep/d.txt");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("write" as const, "read" as const, "somebody" as const), file, text: anyText }),
  fc.record({ do: fc.constant("edit" as const), file, text: word, to: word }),
);

interface Oracle {
  readonly files: Map<string, string>;
  /** What the agent was last shown or wrote. */
  readonly known: Map<string, string>;
}

/** What the tools promise, on maps of names to contents. Gives whether the call works. */
function expected({ files, known }: Oracle, one: Step): boolean {
  const now = files.get(one.file);
  const put = (text: string): true => {
    files.set(one.file, text);
    known.set(one.file, text);
    return true;
  };
  if (one.do === "somebody") return files.set(one.file, one.text).has(one.file);
  if (one.do === "read") return now !== undefined && put(now);
  if (one.do === "edit" && one.text === "") return now === undefined && put(one.to);
  if (now !== undefined && known.get(one.file) !== now) return false;
  if (one.do === "write") {
    const isCrlf = now?.includes("\n") === true && !/(?<!\r)\n/.test(now);
    return put(isCrlf && !one.text.includes("\r\n") ? one.text.replaceAll("\n", "\r\n") : one.text);
  }
  if (one.do !== "edit" || now === undefined || one.text === one.to) return false;
  const result = replaceText(now, { oldText: one.text, newText: one.to, replaceAll: false });
  return result.type === "replaced" && put(result.text);
}

async function perform(desk: Desk, one: Step): Promise<boolean> {
  if (one.do === "somebody") return desk.put(`ws/${one.file}`, one.text).then(() => true);
  if (one.do === "edit") return (await desk.call("edit_file", { path: one.file, old_string: one.text, new_string: one.to })).ok;
  if (one.do === "read") return (await desk.call("read_file", { path: one.file })).ok;
  return (await desk.call("write_file", { path: one.file, content: one.text })).ok;
}

describe("any sequence of calls", () => {
  it("leaves the files as an oracle in memory has them, and everything around the workspace untouched", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const desk = await openDesk();
        await desk.put("outside/secret.txt", "secret");
        const around = await treeHash(desk.at("outside"));
        const oracle: Oracle = { files: new Map(), known: new Map() };
        for (const one of steps) {
          const works = expected(oracle, one);
          expect({ one, ok: await perform(desk, one) }).toEqual({ one, ok: works });
        }
        for (const [name, text] of oracle.files) expect(await desk.text(`ws/${name}`)).toBe(text);
        expect(await treeHash(desk.at("outside"))).toBe(around);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

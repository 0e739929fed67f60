import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const LAST = 82;

/** Ids that stand in a string of a test file: names of tests and of the rows of their tables, not comments. */
function citedIn(text: string): readonly string[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  const strings = code.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [];
  return strings.flatMap((string) => string.match(/\bEC\d\d\b/g) ?? []);
}

function testsBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(folder, name));
  } catch {
    return []; // a package without tests
  }
}

describe("the edge cases of coordination", () => {
  const files = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((name) => testsBelow(join(root, group, name, "test"))),
  );
  const cited = new Set(files.flatMap((file) => citedIn(readFileSync(file, "utf8"))));
  const ids = Array.from({ length: LAST }, (_, index) => `EC${String(index + 1).padStart(2, "0")}`);

  it("are each cited by the name of a test", () => {
    expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  });

  it("are no others than those of the list", () => {
    expect([...cited].filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("are not cited by a comment alone", () => {
    expect(citedIn('// "EC01"\nit("EC02: it\'s one", () => {}); // EC03\n[`EC04`]')).toEqual(["EC02", "EC04"]);
  });
});

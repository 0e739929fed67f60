import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byFolder, kindOf, sizeText } from "../src/parts/files/kinds.js";

const text = new TextEncoder().encode("<b>hello</b>");

describe("files of a run", () => {
  it.each([
    ["a.md", text, "markdown"],
    ["x/README.MARKDOWN", text, "markdown"],
    ["a.svg", text, "image"],
    ["a.PNG", text, "image"],
    ["page.html", text, "html"],
    ["a.pdf", new TextEncoder().encode("%PDF-1.7\n\0"), "pdf"],
    ["a.pdf", text, "text"],
    ["flow.mmd", text, "diagram"],
    ["flow.mermaid", text, "diagram"],
    ["main.ts", text, "text"],
    ["Makefile", text, "text"],
    ["a.bin", new Uint8Array([1, 0, 2]), "binary"],
    ["page.html", new Uint8Array([0]), "binary"],
  ] as const)("%s is shown as it is best looked at", (path, bytes, kind) => {
    expect(kindOf(path, bytes)).toBe(kind);
  });

  it("keeps every file once, each in its folder", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.array(fc.constantFrom("a", "b", "c.txt"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"))),
        (paths) => {
          const folders = byFolder(paths.map((path) => ({ path })));
          expect(folders.flatMap(({ files }) => files.map(({ path }) => path)).toSorted()).toEqual(paths.toSorted());
          for (const { folder, files } of folders) for (const { path } of files) expect(path.slice(folder.length)).not.toContain("/");
        },
      ),
    );
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_500, "1.5 kB"],
    [5_000_000, "5.0 MB"],
  ])("%i bytes read %s", (bytes, shown) => {
    expect(sizeText(bytes)).toBe(shown);
  });
});

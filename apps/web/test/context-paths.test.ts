import { expect, it } from "vitest";
import { foldersIn } from "../src/parts/context-paths.js";

it.each([
  ["", []],
  [
    '[{"path":"/a","permission":"write"},{"path":"/b"}]',
    [
      { path: "/a", permission: "write" },
      { path: "/b", permission: "read" },
    ],
  ],
  ['[{"path":1},"x",null,{"path":"/c","permission":"all"}]', [{ path: "/c", permission: "read" }]],
  ["{", []],
  ["{}", []],
])("of %j is kept what is a folder", (text, folders) => {
  expect(foldersIn(text)).toEqual(folders);
});

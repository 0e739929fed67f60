import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { formatIssues } from "../src/index.js";
import { examplePaths, loadConfig, locateConfig, shortNameOf } from "../src/node/index.js";

const folder = fileURLToPath(new URL("../../../configs", import.meta.url));
const paths = await examplePaths(folder);

describe("the shipped examples", () => {
  it.each(paths)("%s is valid, without a warning and without a key", async (path) => {
    const { issues } = await loadConfig(`${folder}/${path}`);
    expect(formatIssues(issues)).toBe("✅ Configuration is valid!");
  });

  it.each(paths)("%s says in its first line what it is", async (path) => {
    expect(await readFile(`${folder}/${path}`, "utf8")).toMatch(/^# \S.{20,}\n/);
  });

  it("can be told apart by their own names and by short names", () => {
    expect(new Set(paths.map((path) => path.replace(/^.*\//, ""))).size).toBe(paths.length);
    expect(new Set(paths.map(shortNameOf)).size).toBe(paths.length);
  });

  it.each(["basic_multi", "three_agents_default", "basic/multi/gemini_gpt5_claude", "providers/openai_compatible"])(
    "@examples/%s is found",
    async (name) => {
      expect(await locateConfig(`@examples/${name}`, { cwd: "/", home: "/", examplesDir: folder })).toMatchObject({ found: true });
    },
  );
});

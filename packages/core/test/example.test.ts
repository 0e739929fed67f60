import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const example = file("examples/hand-made-backend.ts");
const code = readFileSync(example, "utf8")
  .split("\n")
  .filter((line) => !line.includes("biome-ignore"));

describe("the example of the README", () => {
  it("is the file in examples, word for word", () => {
    expect(readFileSync(file("README.md"), "utf8")).toContain(`\`\`\`ts\n${code.join("\n").trim()}\n\`\`\``);
  });

  it("has fewer than 30 lines of code", () => {
    expect(code.filter((line) => line.trim() !== "" && !/^\s*(\/\/|\/\*)/.test(line)).length).toBeLessThan(30);
  });

  it("runs and ends with the winner's text", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@massgen/source", "--import", "tsx", example]);
    expect(stdout.trim().split("\n")).toEqual([
      "ada votes for agent2.1: it names a price",
      "bob votes for agent2.1: it names a price",
      "LRU: cheap, and good enough. So says the team.",
    ]);
  }, 60_000);
});

import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { helpTopics } from "../../src/help/topics.js";
import { openBench } from "./program.js";

const bench = await openBench();
afterAll(() => bench.close());
const team = "agents:\n  - {id: ada, backend: {type: Groq}}\nui: {type: simple}\n";

describe("the program as it ships", () => {
  it("brings the schema for editors that it prints", async () => {
    const shipped = await readFile(new URL("../../dist/config.schema.json", import.meta.url), "utf8");
    const { code, out } = await bench.run(["--show-schema", "--json"]);
    expect(code).toBe(0);
    expect(out).toBe(shipped);
    expect(JSON.parse(shipped)).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
  });

  it("explains a config in its folder, with keys of a .env file by name", async () => {
    await bench.write("team.yaml", team);
    await bench.write(".env", "GROQ_API_KEY=gsk_of_the_file_012345\n");
    const { code, out, err } = await bench.run(["config", "explain", "agents.ada.backend", "--config", "team.yaml", "--rate-limit"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^agents\[0\]\.backend\.type +groq +team\.yaml:2:31, written as "Groq"$/m);
    expect(out).toMatch(/^agents\[0\]\.backend\.enable_rate_limit +true +flag: --rate-limit$/m);
    expect(out).toMatch(/^agents\[0\]\.backend\.api_key +\[REDACTED\] +\.env file: GROQ_API_KEY$/m);
    expect(out).not.toContain("gsk_");
  });

  it.each(helpTopics)("has the help on $name at hand", async ({ name, text }) => {
    expect(await bench.run(["help", name])).toMatchObject({ code: 0, out: text, err: "" });
  });

  it("offers the examples it ships with in completions", async () => {
    const { out } = await bench.run(["completion", "bash"]);
    expect(out).toContain("@examples/basic/single/single_groq");
  });
});

import { readFile } from "node:fs/promises";
import { scriptedTeam } from "@massgen/simulator";
import { afterAll, describe, expect, it } from "vitest";
import { helpTopics } from "../../src/help/topics.js";
import { lineOf, openBench, readJson } from "./program.js";

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

/** A file of the configuration package, at the address of a stand-in. */
async function surprising(name: string): Promise<Awaited<ReturnType<typeof bench.simulate>>> {
  const simulator = await bench.simulate({ respond: scriptedTeam() });
  const file = new URL(`../../../../packages/config/test/fixtures/yaml/${name}`, import.meta.url);
  await bench.write(
    name,
    (await readFile(file, "utf8")).replaceAll(/base_url: "[^"]*"/g, `base_url: "${simulator.baseUrl("chat_completions")}"`),
  );
  return simulator;
}

describe("CF-02, in a run", () => {
  it("ids of any script are the names in the status and of the folder of the winner", async () => {
    await surprising("chinese-ids.yaml");
    const { code, out, err } = await bench.run(["--automation", "--config", "chinese-ids.yaml", "Which?"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const status = await readJson<{ readonly agents: Readonly<Record<string, unknown>> }>(lineOf(out, "STATUS"));
    expect(Object.keys(status.agents)).toEqual(["研究员 一号", "critique-émile"]);
    expect(await readFile(lineOf(out, "ANSWER_FILE"), "utf8")).toContain("a stand-in for replay-model");
  });

  it("a merge key shares a block, and the second agent has its own model", async () => {
    const simulator = await surprising("merge.yaml");
    expect((await bench.run(["--automation", "--config", "merge.yaml", "Which?"])).code).toBe(0);
    expect(new Set(simulator.requests.map(({ model }) => model))).toEqual(new Set(["replay-model", "second-model"]));
  });

  it.each([
    ["tab.yaml", "tab.yaml:4:1"],
    ["duplicate-key.yaml", "(first at line 5)"],
    ["number-model.yaml", "must be text"],
    ["word-options.yaml", "must be true or false"],
    ["alias-bomb.yaml", "alias-bomb.yaml:1:28"],
    ["empty.yaml", "the file is empty"],
  ])("%s stops before anybody is asked, exit 1", async (name, saying) => {
    const simulator = await surprising(name);
    const { code, out, err, durationMs } = await bench.run(["--config", name, "Which?"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(saying);
    expect(err).not.toContain("    at ");
    expect(durationMs).toBeLessThan(10_000);
    expect(simulator.requests).toEqual([]);
  });
});

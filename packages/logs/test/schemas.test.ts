import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { PERSISTED_NAMES } from "../src/events/persisted-names.js";

const schemas = new URL("../schemas/", import.meta.url);
const json = async (name: string): Promise<ReturnType<typeof JSON.parse>> => JSON.parse(await readFile(new URL(name, schemas), "utf8"));

/** In the line itself, or in a file that the line names. */
const ELSEWHERE = { round: "round", content: "path", partial: "partial_path" } as const;

describe("the schemas of the files of a run", () => {
  it("are all named in one of the maps, and every one of them is there", async () => {
    const maps = ["files.json", "session-files.json"];
    const named = (await Promise.all(maps.map(json))).flatMap((map) => Object.values(map)).toSorted();
    const there = (await readdir(schemas)).filter((name) => !maps.includes(name)).toSorted();
    expect(there).toEqual(named);
  });

  it("say what they are of, in the dialect of 2020-12", async () => {
    for (const name of new Set(Object.values<string>(await json("files.json")))) {
      const schema = await json(name);
      expect([name, schema.$schema]).toEqual([name, "https://json-schema.org/draft/2020-12/schema"]);
      expect(schema.title.length).toBeGreaterThan(5);
      expect(schema.description.length).toBeGreaterThan(20);
    }
  });

  it("know every event and every key of its context", async () => {
    const { $defs } = await json("event.schema.json");
    expect(Object.keys($defs).toSorted()).toEqual(
      Object.values(PERSISTED_NAMES)
        .map(({ event }) => event)
        .toSorted(),
    );
    for (const { event, fields } of Object.values(PERSISTED_NAMES)) {
      const known = new Set(Object.keys($defs[event].properties));
      for (const field of Object.values<string | { readonly name: string }>(fields as never)) {
        const key = typeof field === "string" ? field : field.name;
        if (key !== "agent_id") expect([event, key, known.has(key)]).toEqual([event, key, true]);
        if (key in ELSEWHERE && event === "final_answer") expect(known).toContain(ELSEWHERE[key as keyof typeof ELSEWHERE]);
      }
    }
  });
});

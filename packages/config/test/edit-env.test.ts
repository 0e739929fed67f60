import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editEnv, parseEnvFile, removeKeys, storeKeys, writeWhole } from "../src/node/index.js";

const set = (text: string, values: Readonly<Record<string, string>>): string => editEnv(text, new Map(Object.entries(values)));

describe("a key that goes into a .env file", () => {
  it.each([
    ["", "K=v\n"],
    ["# mine\nA=1", "# mine\nA=1\nK=v\n"],
    ["K=old\nA=1\n", "K=v\nA=1\n"],
    ["export K = 'old' # why\nA=1\n", "export K=v\nA=1\n"],
    ["K=one\nK=two\n", "K=one\nK=v\n"],
    ['K="two\nlines"\nA=1\n', "K=v\nA=1\n"],
    ["A=1\r\nno assignment\r\n", "A=1\r\nno assignment\r\nK=v\r\n"],
    ["\uFEFFK=old\n", "\uFEFFK=v\n"],
    ["#K=old\n", "#K=old\nK=v\n"],
  ])("%j becomes %j", (before, after) => {
    expect(set(before, { K: "v" })).toBe(after);
  });

  it("is read back as it was given, whatever is in it and in the file", () => {
    const line = fc.oneof(fc.string(), fc.constantFrom("A=1", "K=x", "export K='y'", 'K="open', "# c", 'B="1\n2"', ""));
    fc.assert(
      fc.property(fc.array(line), fc.string({ unit: "binary", minLength: 1 }), (lines, value) => {
        const before = lines.join("\n");
        const after = parseEnvFile(set(before, { K: value }));
        expect(after.values.get("K")).toBe(value);
        const others = (text: string): readonly (readonly [string, string])[] =>
          [...parseEnvFile(text).values].filter(([name]) => name !== "K");
        if (parseEnvFile(before).problems.length === 0) expect(others(set(before, { K: value }))).toEqual(others(before));
      }),
      { numRuns: 300 },
    );
  });
});

describe("files that are written whole", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "massgen-write-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ["K=v\n", ""],
    ["# mine\nA=1\nK=v\n", "# mine\nA=1\n"],
    ["K=one\nA=1\nexport K = 'two' # why", "A=1\n"],
    ['A=1\nK="two\nlines"\nB=2', "A=1\nB=2"],
    ["A=1\r\nK=v\r\nno assignment\r\n", "A=1\r\nno assignment\r\n"],
    ["#K=old\nKK=1\n", "#K=old\nKK=1\n"],
  ])("a key is taken out of %j, which becomes %j", async (before, after) => {
    const file = join(folder, "out.env");
    await writeFile(file, before);
    await removeKeys(file, new Set(["K"]));
    expect(await readFile(file, "utf8")).toBe(after);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  const path = (...names: readonly string[]): string => join(folder, ...names);
  const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

  it("keys: for the owner only, also in a file that others could read", async () => {
    await storeKeys(path("new", ".env"), new Map([["K", "v"]]));
    await writeFile(path(".env"), "# mine\nA=1\n");
    await chmod(path(".env"), 0o644);
    await storeKeys(path(".env"), new Map([["K", "v"]]));
    expect(await readFile(path(".env"), "utf8")).toBe("# mine\nA=1\nK=v\n");
    expect([await modeOf(path(".env")), await modeOf(path("new", ".env"))]).toEqual([0o600, 0o600]);
  });

  it("a link stays a link", async () => {
    await writeFile(path("real.env"), "A=1\n");
    await symlink(path("real.env"), path(".env"));
    await storeKeys(path(".env"), new Map([["K", "v"]]));
    expect((await lstat(path(".env"))).isSymbolicLink()).toBe(true);
    expect(await readFile(path("real.env"), "utf8")).toBe("A=1\nK=v\n");
  });

  it("what is no text stays as it is", async () => {
    const bytes = Buffer.from("\ufeffA=1\n", "utf16le");
    await writeFile(path(".env"), bytes);
    await expect(storeKeys(path(".env"), new Map([["K", "v"]]))).rejects.toMatchObject({ code: "CONFIG_INVALID", exitCode: 1 });
    await mkdir(path("folder"));
    await expect(storeKeys(path("folder"), new Map([["K", "v"]]))).rejects.toMatchObject({ message: expect.stringContaining("EISDIR") });
    expect((await readFile(path(".env"))).equals(bytes)).toBe(true);
    expect((await readdir(folder)).toSorted()).toEqual([".env", "folder"]);
  });

  it("a file that is there is kept, replaced, or kept beside the new one", async () => {
    const file = path("deep", "team.yaml");
    expect(await writeWhole(file, "one", { existing: "keep" })).toBe(true);
    expect(await writeWhole(file, "two", { existing: "keep" })).toBe(false);
    expect(await readFile(file, "utf8")).toBe("one");
    expect(await writeWhole(file, "three", { existing: "backup" })).toBe(true);
    expect([await readFile(file, "utf8"), await readFile(`${file}.bak`, "utf8")]).toEqual(["three", "one"]);
    expect(await writeWhole(file, "four", { existing: "replace" })).toBe(true);
    expect((await readdir(path("deep"))).toSorted()).toEqual(["team.yaml", "team.yaml.bak"]);
  });
});

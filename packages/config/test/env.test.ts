import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadEnv, parseEnvFile } from "../src/node/index.js";

const fixture = (name: string): URL => new URL(`./fixtures/env/${name}`, import.meta.url);

describe("the environment of a run", () => {
  let root = "";
  let cwd = "";
  let home = "";

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "massgen-config-"));
    [cwd, home] = [join(root, "work"), join(root, "home")];
    await mkdir(join(cwd, "configs"), { recursive: true });
    await mkdir(join(home, ".massgen"), { recursive: true });
    await mkdir(join(home, ".config", "massgen"), { recursive: true });
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it("CF-01: odd files are read, the process wins over the folder over the home, empty values hide nothing", async () => {
    await copyFile(fixture("cwd.env"), join(cwd, ".env"));
    await copyFile(fixture("home.env"), join(home, ".massgen", ".env"));
    const processEnv = JSON.parse(await readFile(fixture("process-env.json"), "utf8")) as Record<string, string>;
    const expected = JSON.parse(await readFile(fixture("expected.json"), "utf8")) as Record<string, string | null>;
    const { env, warnings } = await loadEnv({ cwd, home, processEnv });
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, env[name] ?? null]))).toEqual(expected);
    expect(warnings).toEqual([
      { file: join(cwd, ".env"), line: 16, message: "not of the form KEY=value; skipped" },
      { file: join(cwd, ".env"), line: 17, message: "not of the form KEY=value; skipped" },
    ]);
  });

  it("every mixture of five files and the process: the highest that is not empty wins", async () => {
    const defaultsFile = join(root, "package.env");
    const { files } = await loadEnv({ cwd, home, processEnv: {}, defaultsFile });
    expect(files).toEqual([
      defaultsFile,
      join(home, ".massgen", ".env"),
      join(home, ".config", "massgen", ".env"),
      join(cwd, "configs", ".env"),
      join(cwd, ".env"),
    ]);
    expect((await loadEnv({ cwd, home, processEnv: {} })).files).toEqual(files.slice(1));
    // A variable for each of the 729 mixtures; its name says at each level: n not there, e empty, s set.
    const levels = [...files, "process"];
    const mixtures = levels.reduce<readonly string[]>(
      (names, _level) => names.flatMap((name) => [`${name}n`, `${name}e`, `${name}s`]),
      [""],
    );
    const linesOf = (level: number): readonly (readonly [string, string])[] =>
      mixtures.flatMap((name) => (name[level] === "n" ? [] : [[`V${name}`, name[level] === "e" ? "" : `from ${level}`] as const]));
    for (const [level, file] of files.entries())
      await writeFile(
        file,
        linesOf(level)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(""),
      );
    const { env } = await loadEnv({ cwd, home, defaultsFile, processEnv: Object.fromEntries(linesOf(files.length)) });
    const expected = mixtures.flatMap((name) => (name.includes("s") ? [[`V${name}`, `from ${name.lastIndexOf("s")}`]] : []));
    expect(mixtures).toHaveLength(729);
    expect(env).toEqual(Object.fromEntries(expected));
  });

  it("a folder called .env is not ours, a file that is no text is told", async () => {
    await mkdir(join(cwd, ".env"));
    await writeFile(join(cwd, "configs", ".env"), Buffer.from("\ufeffA=1\n", "utf16le"));
    expect(await loadEnv({ cwd, home, processEnv: { B: "2", C: undefined } })).toMatchObject({
      env: { B: "2" },
      warnings: [{ file: join(cwd, "configs", ".env"), line: null, message: "cannot be read: it is UTF-16; save it as UTF-8" }],
    });
  });
});

describe("a .env file", () => {
  const read = (text: string): Record<string, string> => Object.fromEntries(parseEnvFile(text).values);

  it.each([
    ["A=1", "1"],
    ["A=", ""],
    ["  export   A = 1  ", "1"],
    ["A=#1", "#1"],
    ["A=1 # one", "1"],
    ["A= # nothing", ""],
    ["A='it # is' # so", "it # is"],
    ['A="a\\tb\\"c\\\\n\\$\\x"', 'a\tb"c\\n$\\x'],
    ["A='a\\nb'", "a\\nb"],
    ['A="one\ntwo"', "one\ntwo"],
    ["A='-----BEGIN-----\r\nabc=\r\n-----END-----'\r\n", "-----BEGIN-----\nabc=\n-----END-----"],
    ["A=a=b", "a=b"],
    ["A=1\nA=2", "2"],
  ])("%j gives %j", (text, value) => {
    expect(read(text)).toEqual({ A: value });
    expect(parseEnvFile(text).problems).toEqual([]);
  });

  it.each([
    ["key: value", "not of the form KEY=value; skipped"],
    ["1A=2", "not of the form KEY=value; skipped"],
    ["A-B=2", "not of the form KEY=value; skipped"],
    ["A='x'y", "there is text after the closing quote; skipped"],
    ['A="x\n', "a quote is not closed; skipped"],
  ])("%j costs a warning with its line", (text, message) => {
    expect(parseEnvFile(`OK=1\n${text}`)).toMatchObject({ problems: expect.arrayContaining([{ line: 2, message }]) });
    expect(read(`OK=1\n${text}`)).toEqual({ OK: "1" });
  });

  it("a forgotten quote costs its own line only", () => {
    expect(read('A="open\nB=2\nC="x"\n')).toEqual({ B: "2", C: "x" });
  });
});

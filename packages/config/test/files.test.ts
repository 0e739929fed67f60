import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatIssues, requireConfig } from "../src/index.js";
import { examplePaths, type LocatedConfig, loadConfig, locateConfig, shortNameOf } from "../src/node/index.js";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "massgen-config-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(path: string, content: string | Buffer = "agent: {id: a, backend: {type: groq}}\n"): Promise<string> {
  const file = join(root, path);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, content);
  return file;
}

describe("loading", () => {
  it("reads YAML and JSON, and calls the file as the user did", async () => {
    const { config, source } = await loadConfig(await put("team.yaml"), { file: "./team.yaml" });
    expect(config?.agents).toHaveLength(1);
    expect(source?.file).toBe("./team.yaml");
    expect((await loadConfig(await put("team.JSON", '{"agent": {"id": "a", "backend": {"type": "groq"}}}'))).config).not.toBeNull();
  });

  it.each([
    ["CFG001", "tema.yaml", "config file not found: tema.yaml", "Did you mean 'team.yaml'?"],
    ["CFG001", "no/such/team.yaml", "config file not found: no/such/team.yaml", ""],
    ["CFG002", "folder.yaml", "cannot read folder.yaml: it is a folder", "Name the file in it."],
    ["CFG003", "team.toml", "unsupported file type '.toml'", "Use .yaml, .yml or .json."],
    ["CFG002", "wide.yaml", "cannot read wide.yaml: it is UTF-16; save it as UTF-8", ""],
    ["CFG002", "nul.yaml", "cannot read nul.yaml: it is no text, or UTF-16; save it as UTF-8", ""],
    ["CFG002", "latin.yaml", "cannot read latin.yaml: it is not UTF-8; save it as UTF-8", ""],
  ])("%s: %s is an issue, not an exception", async (code, name, message, hint) => {
    await put("team.yaml");
    await put("team.toml");
    await put("folder.yaml/x", "");
    await put("wide.yaml", Buffer.from("\ufeffagent: x", "utf16le"));
    await put("nul.yaml", Buffer.from("agent: x", "utf16le"));
    await put("latin.yaml", Buffer.from("agent: caf\xe9", "latin1"));
    const loaded = await loadConfig(join(root, name), { file: name });
    expect(loaded.issues).toMatchObject([{ code, severity: "error", message, hint, file: name, span: null }]);
    expect(loaded.config).toBeNull();
    expect(formatIssues(loaded.issues).split("\n")[2]?.split(name)).toHaveLength(2);
  });

  it("a missing file is CONFIG_NOT_FOUND with exit code 1", async () => {
    const loaded = await loadConfig(join(root, "none.yaml"), { file: "none.yaml" });
    expect(() => requireConfig(loaded)).toThrow(expect.objectContaining({ code: "CONFIG_NOT_FOUND", exitCode: 1 }));
  });
});

describe("finding", () => {
  const paths = [
    "basic/multi/three_agents_default.yaml",
    "basic/single/single_gpt5nano.yaml",
    "basic/single/single_groq.yaml",
    "voting/strict.yaml",
  ];
  const found = (result: LocatedConfig): string =>
    result.found ? `${result.origin} ${result.file}` : `${result.issue?.message} | ${result.issue?.hint}`;
  const locate = async (name: string | null): Promise<string> =>
    found(await locateConfig(name, { cwd: join(root, "work"), home: join(root, "home"), examplesDir: join(root, "examples") }));

  beforeEach(async () => {
    for (const path of paths) await put(`examples/${path}`);
    await put("examples/README.md", "no example");
    await mkdir(join(root, "work"), { recursive: true });
  });

  it("a path comes before a config of the user's, which may leave out its ending", async () => {
    await put("home/.config/massgen/agents/mine.yaml");
    expect(await locate("mine")).toBe("user ~/.config/massgen/agents/mine.yaml");
    expect(await locate("mine.yaml")).toBe("user ~/.config/massgen/agents/mine.yaml");
    await put("work/mine.yaml");
    expect(await locate("mine.yaml")).toBe("path mine.yaml");
    expect(await locate("~/.config/massgen/agents/mine.yaml")).toBe("path ~/.config/massgen/agents/mine.yaml");
    expect(await locate("mien.yaml")).toBe("config file not found: mien.yaml | Did you mean 'mine.yaml'?");
  });

  it("without a name it is that of the project, then that of the user, then none", async () => {
    expect(await locateConfig(null, { cwd: join(root, "work"), home: join(root, "home") })).toEqual({ found: false, issue: null });
    await put("home/.config/massgen/config.yaml");
    expect(await locate(null)).toBe("home ~/.config/massgen/config.yaml");
    await put("work/.massgen/config.yaml");
    expect(await locate(null)).toBe("project .massgen/config.yaml");
  });

  it.each([
    ["basic/multi/three_agents_default.yaml", "basic/multi/three_agents_default.yaml"],
    ["basic/multi/three_agents_default", "basic/multi/three_agents_default.yaml"],
    ["three_agents_default", "basic/multi/three_agents_default.yaml"],
    ["basic_multi_three_agents_default", "basic/multi/three_agents_default.yaml"],
    ["basic_multi", "basic/multi/three_agents_default.yaml"],
    ["gpt5nano", "basic/single/single_gpt5nano.yaml"],
    ["voting", "voting/strict.yaml"],
  ])("@examples/%s is %s", async (name, path) => {
    expect(await locate(`@examples/${name}`)).toBe(`example @examples/${path}`);
  });

  it("a part that fits several examples, or none, is told with candidates", async () => {
    expect(await locate("@examples/single")).toBe(
      "several examples fit @examples/single | Name one of: @examples/basic/single/single_gpt5nano.yaml, @examples/basic/single/single_groq.yaml",
    );
    expect(await locate("@examples/strct")).toBe("there is no example @examples/strct | Did you mean '@examples/strict'?");
    expect(await locate("@examples/../../work")).toMatch(/^there is no example/);
    expect(await locate("@examples/")).toMatch(/^there is no example/);
    expect(await locateConfig("@examples/x", { cwd: root, home: root })).toMatchObject({ found: false, issue: { code: "CFG001" } });
  });

  it("examples are listed by path, and by the short name made of it", async () => {
    expect(await examplePaths(join(root, "examples"))).toEqual(paths);
    expect(shortNameOf(paths[0]!)).toBe("basic_multi_three_agents_default");
    expect(await examplePaths(join(root, "nowhere"))).toEqual([]);
  });
});

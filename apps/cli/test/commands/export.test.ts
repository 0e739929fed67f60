import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bytesOf } from "../../src/args/export-request.js";
import { runCli } from "../../src/cli.js";
import { createSession } from "../../src/session.js";
import { type FakeIoOptions, fakeIo } from "../fake-io.js";
import { sampleRun } from "../played-run.js";
import { writtenLog } from "../written-log.js";

let folder = "";
let log = "";
let path = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-cli-export-"));
  log = await writtenLog(folder, sampleRun().records);
  await writeFile(join(log, "final/bob/answer.txt"), "the key is correct-horse-battery-staple-42\n");
  // A `gh` that keeps what it is asked and answers like the service.
  const bin = join(folder, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "gh"), FAKE_GH);
  await writeFile(join(bin, "package.json"), '{"type":"commonjs"}');
  await chmod(join(bin, "gh"), 0o755);
  path = `${bin}:${process.env["PATH"] ?? ""}`;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const FAKE_GH = `#!${process.execPath}
const fs = require("node:fs"), path = require("node:path");
const here = path.dirname(process.argv[1]);
const args = process.argv.slice(2).join(" ");
fs.appendFileSync(path.join(here, "calls.txt"), args + "\\n");
const ours = { id: "abc123", html_url: "https://gist.github.com/abc123", description: "MassGen record: log_1", created_at: "2026-01-02T10:00:00Z", files: { a: {} } };
const other = { ...ours, id: "def456", description: "my diary" };
if (process.env.GH_FAILS) { console.error("gh: To use GitHub CLI, run: gh auth login"); process.exit(4); }
if (args.includes("POST")) { fs.writeFileSync(path.join(here, "body.json"), fs.readFileSync(0)); console.log(JSON.stringify(ours)); }
else if (args.includes("DELETE")) process.exit(0);
else if (args.includes("per_page")) console.log(JSON.stringify([ours, other]));
else console.log(JSON.stringify(args.includes("def456") ? other : ours));
`;

async function massgen(args: readonly string[], options: Partial<FakeIoOptions> = {}) {
  const { io, out, err } = fakeIo({
    cwd: folder,
    ...options,
    env: { PATH: path, DESK_TOKEN: "correct-horse-battery-staple-42", ...options.env },
  });
  const code = await runCli(args, io, createSession());
  return { code, out: out(), err: err() };
}
const callsOfGh = async (): Promise<string> => readFile(join(folder, "bin/calls.txt"), "utf8").catch(() => "");

describe("massgen export", () => {
  it("writes a page named after the log, says where, and does not overwrite it", async () => {
    const page = join(folder, `${basename(log)}.html`);
    expect(await massgen(["export"])).toMatchObject({ code: 0, out: `${page}\n` });
    expect(await readFile(page, "utf8")).toContain("Which cache policy fits?");
    expect(await massgen(["export"])).toMatchObject({ code: 1, out: "", err: expect.stringContaining("--yes") });
    expect(await massgen(["export", "--yes"])).toMatchObject({ code: 0 });
  });

  it("writes a folder or a zip by the name, without the secrets of the environment, and JSON tells of it", async () => {
    const { out } = await massgen(["export", basename(log), "--output", "record", "--json"]);
    expect(JSON.parse(out)).toEqual({ path: join(folder, "record"), files: expect.any(Number), size: expect.any(Number) });
    expect(await readFile(join(folder, "record/final/bob/answer.txt"), "utf8")).toBe("the key is [REDACTED]\n");
    expect(await massgen(["export", log, "--output", "record.zip"])).toMatchObject({
      code: 0,
      err: expect.stringContaining("secrets taken out of 1"),
    });
  });

  it("a dry run lists what would travel, where a secret was taken out, what stays, and writes nothing", async () => {
    const before = await readdir(folder);
    const { code, out } = await massgen(["export", "--dry-run", "--output", "dry"]);
    expect(code).toBe(0);
    expect(out).toMatch(/ B {2}final\/bob\/answer\.txt {2}\(a secret was taken out\)$/m);
    expect(out).toMatch(/^stays here {2}massgen\.log: not part of an export$/m);
    const { out: json } = await massgen(["export", "--dry-run", "--json", "--output", "dry"]);
    expect(JSON.parse(json)).toMatchObject({
      dry_run: true,
      listed: expect.arrayContaining([{ path: "final/bob/answer.txt", bytes: 22, redacted: true }]),
    });
    expect(await readdir(folder)).toEqual(before);
  });

  it("uploads a secret gist only after showing everything and a yes", async () => {
    const no = await massgen(["export", "--gist"], { answer: "n" });
    expect(no).toMatchObject({ code: 0, out: "", err: expect.stringContaining("Nothing was uploaded") });
    expect(no.err).toContain("final__bob__answer.txt");
    expect(await massgen(["export", "--gist"], { stdin: "" })).toMatchObject({ code: 1, out: "", err: expect.stringContaining("--yes") });
    expect(await callsOfGh()).toBe("");

    const yes = await massgen(["export", "--gist"], { answer: "y" });
    expect(yes).toMatchObject({
      code: 0,
      out: "https://gist.github.com/abc123\n",
      err: expect.stringContaining("massgen shares delete abc123"),
    });
    const body = JSON.parse(await readFile(join(folder, "bin/body.json"), "utf8"));
    expect(body).toMatchObject({ public: false, description: `MassGen record: ${basename(log)}` });
    expect(body.files["final__bob__answer.txt"].content).toBe("the key is [REDACTED]\n");
    // What is sent stands in no argument, which others on the machine could read.
    expect(await callsOfGh()).toBe("api --method POST /gists --input -\n");
    expect(JSON.parse((await massgen(["export", "--gist", "--yes", "--json"], { stdin: "" })).out)).toMatchObject({
      url: "https://gist.github.com/abc123",
    });
  });

  it("says what to do when gh is missing or not signed in", async () => {
    expect(await massgen(["export", "--gist", "--yes"], { env: { PATH: join(folder, "none") } })).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("gh auth login"),
    });
    expect(await massgen(["export", "--gist", "--yes"], { env: { GH_FAILS: "1" } })).toMatchObject({
      code: 2,
      err: expect.stringContaining("gh auth status"),
    });
  });

  it.each([
    [["--turns", "5-2"], "--turns takes"],
    [["--turns", "0"], "--turns takes"],
    [["--workspace-limit", "much"], "--workspace-limit takes"],
    [["--no-workspace", "--workspace-limit", "1MB"], "exclude each other"],
    [["--gist", "--output", "x"], "exclude each other"],
  ])("massgen export %j is a usage error", async (args, message) => {
    expect(await massgen(["export", ...args])).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
  });

  it("takes one turn, and says when there is none of that number", async () => {
    expect(await massgen(["export", "--turns", "3", "--output", "t.html"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("none of the turns"),
    });
    expect(await massgen(["export", "-t", "1-2", "--output", "t.html"])).toMatchObject({ code: 0 });
  });

  it.each([
    ["500KB", 500_000],
    ["1.5mb", 1_500_000],
    ["2 MiB", 2 * 2 ** 20],
    ["20000", 20_000],
    ["-1", null],
    ["1TBB", null],
  ])("reads the size %s", (text, bytes) => {
    expect(bytesOf(text)).toBe(bytes);
  });
});

describe("massgen shares", () => {
  it("lists the gists of ours and no others", async () => {
    const { out } = await massgen(["shares", "list"]);
    expect(out).toMatch(/^abc123 +2026-01-02 +1 +MassGen record: log_1 +https:/m);
    expect(out).not.toContain("diary");
    expect(JSON.parse((await massgen(["shares", "list", "--json"])).out).shares).toHaveLength(1);
  });

  it("deletes one of ours, and refuses any other and what is no id", async () => {
    expect(await massgen(["shares", "delete", "abc123"])).toMatchObject({ code: 0, out: "Deleted https://gist.github.com/abc123\n" });
    expect(await callsOfGh()).toContain("api --method DELETE /gists/abc123");
    expect(await massgen(["shares", "delete", "def456"])).toMatchObject({ code: 1, err: expect.stringContaining("not made by massgen") });
    expect(await callsOfGh()).not.toContain("DELETE /gists/def456");
    expect(await massgen(["shares", "delete", "../user"])).toMatchObject({ code: 2 });
    expect(await massgen(["shares"])).toMatchObject({ code: 2 });
    expect(await massgen(["shares", "delete"])).toMatchObject({ code: 2 });
  });
});

import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createRedactor, readRunView } from "@massgen/logs";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { kindOf } from "../src/collect/which-files.js";
import { type ExportPlan, planExport, writeExport } from "../src/index.js";
import { recordsOf, SAMPLE, START, tempFolder, writeLog } from "./write-log.js";

const SECRET = "correct-horse-battery-staple-42";
const now = START + 3_600_000;
const redactor = createRedactor([SECRET]);

async function put(root: string, path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}
const pathsOf = ({ files }: ExportPlan): readonly string[] => files.map(({ path }) => path);
const reasonOf = ({ skipped }: ExportPlan, end: string): string | undefined => skipped.find(({ path }) => path.endsWith(end))?.reason;

async function sample(): Promise<string> {
  const root = await writeLog(await tempFolder(), recordsOf(SAMPLE));
  await put(root, "final/bob/workspace/src/cache.ts", `export const key = "${SECRET}";\n`);
  return root;
}

describe("what travels", () => {
  it("is the page, the record and the delivered files, and nothing that is not on the list", async () => {
    const root = await sample();
    await put(root, "massgen_debug.log", "x");
    await put(root, "llm_calls.jsonl", "{}");
    await put(root, "notes.txt", "x");
    const plan = await planExport(root, { redactor, now });
    const paths = pathsOf(plan);
    expect(paths[0]).toBe("index.html");
    expect(paths.at(-1)).toBe("_session_manifest.json");
    for (const path of [
      "events.jsonl",
      "decision.md",
      "vote.json",
      "metrics_summary.json",
      "final/bob/answer.txt",
      "final/bob/workspace/src/cache.ts",
    ])
      expect(paths).toContain(path);
    for (const path of paths) expect(path).not.toMatch(/massgen.*\.log|llm_calls|notes|context\.txt|agent_outputs|execution_trace|\.lock/);
    expect(plan.bytes).toBe(plan.files.reduce((sum, { bytes }) => sum + bytes, 0));
    for (const file of plan.files) expect((await file.read()).length).toBe(file.bytes);
  });

  it.each([
    [".env", "may hold secrets"],
    ["config/.env.production", "may hold secrets"],
    ["keys/server.pem", "may hold secrets"],
    ["id_ed25519", "may hold secrets"],
    ["aws/credentials.json", "may hold secrets"],
    [".ssh/known_hosts", "may hold secrets"],
    ["node_modules/left-pad/index.js", "cache"],
    [".git/config", "cache"],
    ["app/__pycache__/a.pyc", "cache"],
    ["src/secrets.ts", "may hold secrets"],
    ["src/keyboard.ts", "workspace"],
    ["docs/environment.md", "workspace"],
  ])("a delivered file %s: %s", (path, kind) => {
    expect(kindOf(`final/bob/workspace/${path}`)).toBe(kind);
    expect(kindOf(`turn_2/attempt_1/final/bob/workspace/${path}`)).toBe(kind);
  });

  it("keeps to the limit of the workspace, and leaves it out when told", async () => {
    const root = await sample();
    await put(root, "final/bob/workspace/a-big.txt", "x".repeat(2_000));
    await put(root, "final/bob/workspace/b-small.txt", "x".repeat(10));
    const limited = await planExport(root, { redactor, now, workspaceLimitBytes: 1_000 });
    expect(reasonOf(limited, "a-big.txt")).toBe("over the limit of the workspace");
    expect(pathsOf(limited)).toContain("final/bob/workspace/b-small.txt");
    const without = await planExport(root, { redactor, now, workspaceLimitBytes: null });
    expect(pathsOf(without).filter((path) => path.includes("workspace"))).toEqual([]);
  });

  it("never follows a link out of the log", async () => {
    const root = await sample();
    const outside = await tempFolder();
    await writeFile(join(outside, "private.txt"), "private");
    await symlink(join(outside, "private.txt"), join(root, "final/bob/workspace/link.txt"));
    await symlink(outside, join(root, "final/bob/workspace/folder"));
    const plan = await planExport(root, { redactor, now });
    expect(pathsOf(plan).filter((path) => /link|folder|private/.test(path))).toEqual([]);
    expect(reasonOf(plan, "link.txt")).toBe("link or special file");
  });

  it("takes the turns it is asked for", async () => {
    const root = await tempFolder();
    for (const turn of [1, 2, 10]) {
      const from = await writeLog(await tempFolder(), recordsOf({ ...SAMPLE, question: `Question ${turn}` }));
      await mkdir(join(root, `turn_${turn}`));
      for (const name of await readdir(from))
        if (name.endsWith(".json") || name.endsWith(".jsonl"))
          await writeFile(join(root, `turn_${turn}`, name), await readFile(join(from, name)));
    }
    const turnsOf = async (turns: Parameters<typeof planExport>[1]["turns"]) =>
      (await planExport(root, { redactor, now, ...(turns === undefined ? {} : { turns }) })).log.turns.map(({ turn }) => turn);
    expect(await turnsOf(undefined)).toEqual([1, 2, 10]);
    expect(await turnsOf("latest")).toEqual([10]);
    expect(await turnsOf({ from: 2, to: 9 })).toEqual([2]);
    await expect(turnsOf({ from: 3, to: 4 })).rejects.toThrow("none of the turns");
    const { page } = await planExport(root, { redactor, now });
    for (const turn of [1, 2, 10]) expect(page).toContain(`id="turn-${turn}"`);
  });
});

describe("secrets", () => {
  // Shapes of keys that vendors give out; put together here so that no scanner takes them for real ones.
  const KEYS = {
    openai: `sk-proj-${"Ab3dEf6hIj".repeat(5)}`,
    anthropic: `sk-ant-api03-${"Ab3dEf6hIj".repeat(9)}`,
    google: `AIza${"SyAb3dEf6hIjKlMnOpQrStUvWxYz0123456"}`,
    xai: `xai-${"Ab3dEf6hIj".repeat(8)}`,
    groq: `gsk_${"Ab3dEf6hIj".repeat(5)}ab`,
    github: `ghp_${"Ab3dEf6hIj".repeat(3)}Ab3dEf`,
    aws: `AKIA${"ABCDEFGHIJ234567"}`,
    given: SECRET,
  };

  it("of every form planted in the log are in no byte that travels, and what is JSON stays JSON", async () => {
    const root = await sample();
    const planted = Object.values(KEYS).join(" and ");
    const quoted = JSON.stringify(planted).slice(1, -1);
    for (const name of ["events.jsonl", "decision.json", "status.json", "metrics_events.json"]) {
      const text = await readFile(join(root, name), "utf8");
      await writeFile(join(root, name), text.replaceAll("Best hit rates", quoted).replaceAll("Which cache policy fits?", `Fits ${quoted}`));
    }
    await put(root, "final/bob/answer.txt", planted);
    await put(root, `final/bob/workspace/${KEYS.github}.txt`, Buffer.from(planted).toString("base64"));
    const plan = await planExport(root, { redactor, now });
    const everything = [plan.page, ...plan.files.map(({ path }) => path)];
    for (const file of plan.files) {
      const text = Buffer.from(await file.read()).toString("utf8");
      everything.push(text);
      if (file.path.endsWith(".json")) JSON.parse(text);
      if (file.path.endsWith(".jsonl")) for (const line of text.trimEnd().split("\n")) JSON.parse(line);
    }
    for (const [name, key] of Object.entries(KEYS)) for (const text of everything) expect(text.includes(key), name).toBe(false);
    expect(everything.join("").includes(Buffer.from(SECRET).toString("base64").slice(0, 20))).toBe(false);
    expect(plan.files.filter(({ redacted }) => redacted).map(({ path }) => path)).toContain("events.jsonl");
    expect(plan.page).toContain("[REDACTED]");
  });

  it("in bytes that are no text keep the file here", async () => {
    const root = await sample();
    await put(root, "final/bob/workspace/photo.bin", Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(SECRET)]));
    await put(root, "final/bob/workspace/clean.bin", Buffer.from([0, 255, 254]));
    const plan = await planExport(root, { redactor, now });
    expect(reasonOf(plan, "photo.bin")).toBe("holds a secret in bytes that are no text");
    expect(plan.files.find(({ path }) => path.endsWith("clean.bin"))).toMatchObject({ isText: false, bytes: 3 });
  });
});

describe("writing", () => {
  it("a folder is a log again, and a zip holds the same bytes", async () => {
    const plan = await planExport(await sample(), { redactor, now });
    const cwd = await tempFolder();
    await writeExport(plan, join(cwd, "record"));
    expect((await readRunView(join(cwd, "record"))).finished).toMatchObject({ status: "completed", winner: "bob" });
    await writeExport(plan, join(cwd, "record.zip"));
    const entries = unzipSync(await readFile(join(cwd, "record.zip")));
    expect(Object.keys(entries)).toEqual(pathsOf(plan));
    for (const [path, bytes] of Object.entries(entries)) expect(Buffer.compare(bytes, await readFile(join(cwd, "record", path)))).toBe(0);
    const manifest = JSON.parse(await readFile(join(cwd, "record/_session_manifest.json"), "utf8"));
    expect(manifest).toMatchObject({ version: 1, turns: [{ turn: 1, winner: "bob", finish_reason: "completed" }] });
  });

  it("overwrites nothing unless told, a folder with something in it never, and leaves nothing half", async () => {
    const plan = await planExport(await sample(), { redactor, now });
    const cwd = await tempFolder();
    await put(cwd, "page.html", "mine");
    await put(cwd, "folder/mine.txt", "mine");
    await expect(writeExport(plan, join(cwd, "page.html"))).rejects.toMatchObject({ code: "CONFIG_INVALID", exitCode: 1 });
    await expect(writeExport(plan, join(cwd, "folder"), { replace: true })).rejects.toMatchObject({ exitCode: 1 });
    await writeExport(plan, join(cwd, "page.html"), { replace: true });
    expect(await readFile(join(cwd, "page.html"), "utf8")).toBe(plan.page);
    const broken: ExportPlan = {
      ...plan,
      files: [...plan.files, { path: "x", bytes: 1, isText: true, redacted: false, read: () => Promise.reject(new Error("disk")) }],
    };
    await expect(writeExport(broken, join(cwd, "new.zip"))).rejects.toMatchObject({
      code: "STORE_FAILED",
      exitCode: 2,
      message: expect.stringContaining("disk"),
    });
    await expect(writeExport(broken, join(cwd, "new"))).rejects.toMatchObject({ exitCode: 2 });
    expect((await readdir(cwd)).sort()).toEqual(["folder", "page.html"]);
  });

  it("a log that is damaged in its middle is an error that names the place", async () => {
    const root = await sample();
    const text = await readFile(join(root, "events.jsonl"), "utf8");
    await writeFile(join(root, "events.jsonl"), text.replace("{", "X"));
    await expect(planExport(root, { redactor, now })).rejects.toMatchObject({ code: "STORE_FAILED" });
  });
});

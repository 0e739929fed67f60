import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProposedChanges, ReviewDecision } from "../src/index.js";
import type { FinishedRun } from "../src/result.js";
import { call, type PlannedCall, type PlayOptions, playPlan, read, shell, write } from "./play-plan.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-delivery-"));
  await mkdir(project("src"), { recursive: true });
  await writeFile(project("src", "add.mjs"), "export const add = (a, b) => a - b;\n");
  await writeFile(project("old.txt"), "old\n");
  await writeFile(project("kept.txt"), "kept\n");
  await writeFile(project(".env"), "TOKEN=do-not-read\n");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const project = (...path: string[]): string => join(folder, "project", ...path);
const text = (...path: string[]): Promise<string> => readFile(project(...path), "utf8");
const FIX = "export const add = (a, b) => a + b;\n";
const work = (): readonly PlannedCall[] => [
  read(project("src", "add.mjs")),
  write(project("src", "add.mjs"), FIX),
  write(project("package.json"), "{}\n"),
  read(project("old.txt")),
  call("delete_path", { path: project("old.txt") }),
];

const play = (present: readonly PlannedCall[], options: Partial<PlayOptions> = {}) =>
  playPlan(
    { present },
    {
      folder,
      agents: ["ada", "bob"],
      orchestrator: { context_paths: [{ path: "project", permission: "write", protected_paths: ["kept.txt"] }] },
      ...options,
    },
  );

const outcomes = ({ changes }: FinishedRun) => changes?.files.map(({ name, kind, outcome }) => `${outcome} ${kind} ${name}`);

describe("what the presenter changed", { timeout: 30_000 }, () => {
  it("is brought at the end of the run, recorded with its diff, what runs later first", async () => {
    const { result } = await play(work());
    expect(result.status).toBe("completed");
    expect(outcomes(result)).toEqual(["applied added package.json", "applied deleted old.txt", "applied modified src/add.mjs"]);
    expect(result.changes).toMatchObject({ presenter: "ada", decidedBy: "run", keptIn: null, skipped: [] });
    expect(await text("src", "add.mjs")).toBe(FIX);
    expect((await readdir(project())).toSorted()).toEqual([".env", "kept.txt", "package.json", "src"]);
    const record = JSON.parse(await readFile(result.changes!.recordPath!, "utf8"));
    expect(record).toMatchObject({ schema: 1, decided_by: "run", presenter: "ada" });
    expect(record.files[2]).toMatchObject({ name: "src/add.mjs", added_lines: 1, removed_lines: 1, outcome: "applied", runs_later: false });
    expect(result.changes!.recordPath).toBe(join(result.finalDirectory!, "ada", "delivered_changes.json"));
    expect(await readFile(result.changes!.diffPath!, "utf8")).toContain(
      "-export const add = (a, b) => a - b;\n+export const add = (a, b) => a + b;\n",
    );
    const { agents } = JSON.parse(await readFile(join(result.logDirectory!, "status.json"), "utf8"));
    const { workspace, snapshot_storage: snapshots, temp_workspace: view } = agents.ada.workspace_paths;
    for (const path of [workspace, snapshots, view]) expect(path.startsWith(join(folder, ".massgen"))).toBe(true);
    expect(await readdir(snapshots)).toContain("v0001");
    expect(await readdir(join(folder, ".massgen", "staged"))).toEqual([]);
  });

  it("is shown before anything is touched, and all of it, a part or nothing is brought", async () => {
    const seen: ProposedChanges[] = [];
    const reviewing = (decision: ReviewDecision) => async (proposed: ProposedChanges) => {
      seen.push(proposed);
      expect(await text("src", "add.mjs")).toContain("a - b");
      expect(existsSync(project("package.json"))).toBe(false);
      return decision;
    };
    const rejected = await play(work(), { reviewChanges: reviewing({ accept: "none" }) });
    expect(outcomes(rejected.result)).toEqual(["rejected added package.json", "rejected deleted old.txt", "rejected modified src/add.mjs"]);
    expect(await text("src", "add.mjs")).toContain("a - b");
    const { keptIn } = rejected.result.changes!;
    expect(keptIn).toBe(join(rejected.result.finalDirectory!, "ada", "undelivered"));
    expect(await readFile(join(keptIn!, "1", "src", "add.mjs"), "utf8")).toBe(FIX);
    expect(seen[0]?.changes[0]).toMatchObject({ name: "package.json", runsLater: true, addedLines: 1 });

    const paths = [project("src", "add.mjs")];
    const partly = await play(work(), { reviewChanges: reviewing({ accept: "some", paths }) });
    expect(outcomes(partly.result)).toEqual(["rejected added package.json", "rejected deleted old.txt", "applied modified src/add.mjs"]);
    expect(partly.result.changes?.decidedBy).toBe("person");
    expect(await text("src", "add.mjs")).toBe(FIX);
    expect(await text("old.txt")).toBe("old\n");
  });

  it("does not overwrite what was changed meanwhile, and says so", async () => {
    const reviewChanges = async (): Promise<ReviewDecision> => {
      await writeFile(project("src", "add.mjs"), "the user's own fix\n");
      return { accept: "all" };
    };
    const { result } = await play(work(), { reviewChanges });
    expect(outcomes(result)).toEqual(["applied added package.json", "applied deleted old.txt", "conflict modified src/add.mjs"]);
    expect(result.changes?.files[2]?.reason).toBe("it was changed meanwhile");
    expect(await text("src", "add.mjs")).toBe("the user's own fix\n");
    expect(await readFile(join(result.changes!.keptIn!, "1", "src", "add.mjs"), "utf8")).toBe(FIX);
  });

  it("waits when whoever is asked does not decide", async () => {
    const { result } = await play(work(), { reviewChanges: () => Promise.reject(new Error("the terminal is gone")) });
    expect(result.status).toBe("completed");
    expect(outcomes(result)?.every((outcome) => outcome.startsWith("waiting"))).toBe(true);
    expect(await text("src", "add.mjs")).toContain("a - b");
    expect(await readFile(join(result.changes!.keptIn!, "1", "src", "add.mjs"), "utf8")).toBe(FIX);
  });

  it("by one agent alone comes at the end too", async () => {
    const reviewChanges = async (): Promise<ReviewDecision> => {
      expect(await text("src", "add.mjs")).toContain("a - b");
      return { accept: "all" };
    };
    const orchestrator = { context_paths: [{ path: "project", permission: "write" }] };
    const { result } = await playPlan({ work }, { folder, agents: ["ada"], orchestrator, reviewChanges });
    expect(outcomes(result)).toEqual(["applied added package.json", "applied deleted old.txt", "applied modified src/add.mjs"]);
    expect(await text("src", "add.mjs")).toBe(FIX);
  });

  it("may be a file that is to be made", async () => {
    const orchestrator = { context_paths: [{ path: "project/report.md", permission: "write" }] };
    const { result } = await play([write(project("report.md"), "# Report\n"), write(project("other.md"), "x")], { orchestrator });
    expect(outcomes(result)).toEqual(["applied added report.md"]);
    expect(await text("report.md")).toBe("# Report\n");
    expect(existsSync(project("other.md"))).toBe(false);
  });

  it("T1.16: by a presenter that fails is kept and not brought; the answer and the files are those that won", async () => {
    const { result } = await playPlan(
      { work: (agent) => [write("notes.md", `by ${agent}`)], present: [...work(), write("notes.md", "half")], presenterFails: true },
      { folder, agents: ["ada", "bob"], orchestrator: { context_paths: [{ path: "project", permission: "write" }] } },
    );
    expect(result).toMatchObject({ status: "completed", finalAnswer: "What ada made." });
    expect(outcomes(result)).toEqual(["unfinished added package.json", "unfinished deleted old.txt", "unfinished modified src/add.mjs"]);
    expect(await text("src", "add.mjs")).toContain("a - b");
    expect(await readFile(join(result.changes!.keptIn!, "1", "src", "add.mjs"), "utf8")).toBe(FIX);
    expect(await readFile(join(result.finalDirectory!, "ada", "workspace", "notes.md"), "utf8")).toBe("by ada");
  });

  it("is nothing when only the workspace was used", async () => {
    const { result } = await play([write("notes.md", "x")]);
    expect(result.changes).toBe(null);
  });
});

describe("commands of the presenter", { timeout: 30_000 }, () => {
  const commands = { enable_mcp_command_line: true };

  it("find the copies under the paths' own names; what they write where nobody may is refused", async () => {
    const { result, results, notes } = await play(
      [
        shell(
          `cd ${project()} && pwd && sed -i s/-/+/ src/add.mjs && node --input-type=module -e "import('${project("src", "add.mjs")}').then((m) => console.log(m.add(1, 2)))"`,
        ),
        shell(
          `cd ${project()} && f=.en && printf x > "\${f}v.local" && mkdir -p .github/workflows && printf x > .github/workflows/x.yml; ls -A`,
        ),
        shell(`node -e "require('fs').writeFileSync('${project("kept")}' + '.txt', 'x')"`),
      ],
      { backend: commands },
    );
    if (notes.some((note) => note.startsWith("Agents run no commands"))) return;
    const [first] = results("ada");
    expect(first).toContain(`${project()}\n3`);
    expect(outcomes(result)).toContain("applied modified src/add.mjs");
    expect(await text("src", "add.mjs")).toBe(FIX);
    expect(await text("kept.txt")).toBe("kept\n");
    expect((await readdir(project())).toSorted()).toEqual([".env", "kept.txt", "old.txt", "src"]);
    for (const { outcome, name } of result.changes!.files) if (name !== "src/add.mjs") expect([name, outcome]).toEqual([name, "refused"]);
  });

  it("work in the copies without a sandbox too", async () => {
    const { result, results } = await play(
      [shell(`cat ${project("src", "add.mjs")} && printf '%s' changed > ${project("src", "add.mjs")} && ls -d ${project()}`)],
      {
        backend: { ...commands, command_line_sandbox: "off" },
        reviewChanges: async () => {
          expect(await text("src", "add.mjs")).toContain("a - b");
          return { accept: "all" };
        },
      },
    );
    expect(results("ada")[0]).toContain(`a - b;\n${project()}`);
    expect(outcomes(result)).toEqual(["applied modified src/add.mjs"]);
    expect(await text("src", "add.mjs")).toBe("changed");
  });
});

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, playPlan, read, shell, write } from "./play-plan.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-turns-"));
  for (const turn of [1, 2]) {
    await mkdir(turnFolder(turn), { recursive: true });
    await writeFile(join(turnFolder(turn), "plan.md"), `of turn ${turn}\n`);
  }
  await writeFile(join(turnFolder(2), ".env"), "TOKEN=do-not-read\n");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const turnFolder = (turn: number): string => join(folder, ".massgen", "sessions", "s1", `turn_${turn}`, "workspace");
const turns = (...numbers: readonly number[]) => numbers.map((turn) => ({ turn, path: turnFolder(turn) }));

describe("earlier turns", { timeout: 30_000 }, () => {
  it("T1.15: can be read, are changed by nobody, and a copy of the last is in the workspace", async () => {
    const { result, results, requests } = await playPlan(
      {
        work: () => [
          read(join(turnFolder(1), "plan.md")),
          write(join(turnFolder(2), "plan.md"), "overwritten"),
          call("delete_path", { path: join(turnFolder(1), "plan.md") }),
          read(join(turnFolder(2), ".env")),
          read("plan.md"),
          call("delete_path", { path: "plan.md" }),
        ],
      },
      { folder, agents: ["ada", "bob"], previousTurns: turns(2, 1) },
    );
    expect(result.status).toBe("completed");
    const [first, overwritten, deleted, secret, copy] = results("ada").slice(0, 6);
    expect(first).toContain("of turn 1");
    expect(overwritten).toContain("READ_ONLY");
    expect(deleted).toContain("READ_ONLY");
    expect(secret).toContain("SECRET_FILE");
    expect(copy).toContain("of turn 2");
    for (const turn of [1, 2]) expect(await readFile(join(turnFolder(turn), "plan.md"), "utf8")).toBe(`of turn ${turn}\n`);
    const prompt = requests[0]!.messages.map(({ text }) => text).join("\n") + requests[0]!.system;
    expect(prompt).toContain(`turn 1: ${turnFolder(1)}, turn 2: ${turnFolder(2)}`);
  });

  it("commands read them too, behind the same walls", async () => {
    const hidden = Buffer.from(join(turnFolder(1), "x")).toString("base64");
    const { results, notes } = await playPlan(
      {
        work: () => [
          shell(`cat ${turnFolder(1)}/plan.md`),
          // Made up while it runs, so that no reader of commands sees the name.
          shell(`node -e "console.log(require('fs').readFileSync('${turnFolder(2)}/.' + 'env', 'utf8'))"`),
          shell(`node -e "require('fs').writeFileSync(Buffer.from('${hidden}', 'base64').toString(), '')"`),
        ],
      },
      { folder, agents: ["ada"], backend: { enable_mcp_command_line: true }, previousTurns: turns(1, 2) },
    );
    if (notes.some((note) => note.startsWith("Agents run no commands"))) return;
    const [plan, secret, written] = results("ada");
    expect(plan).toContain("of turn 1");
    expect(secret).not.toContain("do-not-read");
    expect(written).toMatch(/EROFS|EACCES|EPERM/);
  });

  it("a turn whose files are gone is told, and left out", async () => {
    await rm(turnFolder(2), { recursive: true });
    const { result, notes, results } = await playPlan(
      { work: () => [call("list_directory", { path: "." }), read(join(turnFolder(1), "plan.md"))] },
      { folder, agents: ["ada"], previousTurns: turns(1, 2) },
    );
    expect(result.status).toBe("completed");
    expect(notes.join("\n")).toContain("The files of turn 2 are not in");
    expect(results("ada")[0]).not.toContain("plan.md");
    expect(results("ada")[1]).toContain("of turn 1");
  });
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, openBench, sandbox } from "../bench.js";

const grants = (folder: string) => ({
  writable: [join(folder, "project")],
  protected: [join(folder, "project/LICENSE")],
  hidden: [join(folder, "project/.env")],
  standIns: [{ path: join(folder, "project"), source: join(folder, "copies/1") }],
});

describe("a copy that stands in for a writable folder", () => {
  let bench: Bench;
  const file = (path: string, text: string): void => {
    mkdirSync(dirname(join(bench.folder, path)), { recursive: true });
    writeFileSync(join(bench.folder, path), text);
  };
  const text = (path: string): string => readFileSync(join(bench.folder, path), "utf8");
  async function run(command: string, workDir = "."): Promise<{ readonly exitCode: number | null; readonly out: string }> {
    const running = await bench.runner.start({ command, workDir, timeoutMs: 10_000 });
    const { exitCode, both } = await running.ended;
    return { exitCode, out: both.head + both.tail };
  }

  describe.skipIf(!sandbox.found || process.platform !== "linux")("in the sandbox", () => {
    beforeEach(async () => {
      bench = await openBench({ sandboxed: true, grants });
      for (const top of ["project", "copies/1"])
        for (const name of ["a.txt", "LICENSE", ".env"]) file(`${top}/${name}`, `${top} ${name}\n`);
      file("copies/1/new/deep.txt", "only in the copy\n");
    });
    afterEach(() => bench.close());

    it("is found under the folder's own name, and the folder is not touched", async () => {
      const { exitCode, out } = await run(
        `pwd; cat a.txt new/deep.txt; echo changed > a.txt; ls ${bench.folder}/copies`,
        `${bench.folder}/project`,
      );
      expect(out).toContain(`${bench.folder}/project\ncopies/1 a.txt\nonly in the copy\n`);
      expect(exitCode, "the copy has no other name").not.toBe(0);
      expect([text("project/a.txt"), text("copies/1/a.txt")]).toEqual(["project a.txt\n", "changed\n"]);
      expect((await run("pwd", `${bench.folder}/project/new`)).out).toBe(`${bench.folder}/project/new\n`);
    });

    it("keeps what is protected and hidden", async () => {
      const { out } = await run("echo x > ../../project/LICENSE; cat ../../project/LICENSE ../../project/.env; mv ../../project/.env x");
      expect(out).toContain("copies/1 LICENSE");
      expect(out).not.toContain("1 .env\n");
      expect(text("copies/1/LICENSE")).toBe("copies/1 LICENSE\n");
      expect(text("copies/1/.env")).toBe("copies/1 .env\n");
    });
  });

  it("is refused where files cannot have other names: nothing runs in the folder itself instead", async () => {
    bench = await openBench({ sandboxed: false, grants });
    file("project/a.txt", "x");
    file("copies/1/a.txt", "x");
    await expect(run("true")).rejects.toThrow("cannot show files under other names");
    await bench.close();
  });
});

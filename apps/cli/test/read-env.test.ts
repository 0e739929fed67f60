import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEnv } from "../src/read-env.js";

it("MASSGEN_HOME, which has no effect, is warned of wherever it is set, and only then", async () => {
  const folder = await mkdtemp(join(tmpdir(), "massgen-env-"));
  try {
    expect((await readEnv({ cwd: folder, env: { HOME: folder } })).warnings).toEqual([]);
    const warned = [expect.objectContaining({ file: "MASSGEN_HOME", message: expect.stringContaining("MASSGEN_LOG_BASE_DIR") })];
    expect((await readEnv({ cwd: folder, env: { HOME: folder, MASSGEN_HOME: "/elsewhere" } })).warnings).toEqual(warned);
    await writeFile(join(folder, ".env"), "MASSGEN_HOME=/elsewhere\n");
    expect((await readEnv({ cwd: folder, env: { HOME: folder } })).warnings).toEqual(warned);
  } finally {
    await rm(folder, { recursive: true });
  }
});

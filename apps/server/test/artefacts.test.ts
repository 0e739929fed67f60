import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { listArtefacts } from "../src/runs/artefacts.js";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

it("lists the files of a run that renames its drafts meanwhile", async () => {
  const folder = await mkdtemp(join(tmpdir(), "massgen-artefacts-"));
  folders.push(folder);
  await writeFile(join(folder, "answer.txt"), "kept");
  let isAtWork = true;
  const work = async (name: string): Promise<void> => {
    while (isAtWork) {
      await writeFile(join(folder, `${name}.tmp`), name);
      await rename(join(folder, `${name}.tmp`), join(folder, name));
    }
  };
  const writers = Array.from({ length: 8 }, (_, place) => work(`status-${place}.json`));
  try {
    for (let time = 0; time < 60; time++) expect((await listArtefacts(folder)).artefacts).toContainEqual({ path: "answer.txt", bytes: 4 });
  } finally {
    isAtWork = false;
    await Promise.all(writers);
  }
});

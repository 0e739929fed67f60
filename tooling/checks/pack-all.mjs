import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pnpm, run } from "../scripts/run.mjs";

/**
 * Packs everything that is published, as a release would, into a fresh folder that is removed when this process ends.
 * Needs a build. Throws with pnpm's output when packing fails.
 *
 * @returns {Promise<{ folder: string, tarballs: readonly string[] }>} `tarballs` as absolute paths
 */
export async function packAll() {
  const folder = mkdtempSync(join(tmpdir(), "massgen-pack-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { ok, output } = await run(pnpm("-r", "--filter=./packages/*", "--filter=./apps/*", "pack", "--pack-destination", folder));
  if (!ok) throw new Error(`pnpm pack failed:\n${output}`);
  return { folder, tarballs: readdirSync(folder).map((name) => join(folder, name)) };
}

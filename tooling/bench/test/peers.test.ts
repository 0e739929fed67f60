import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findPeer, type Peer } from "../src/peers/find-peer.js";

const PEER: Peer = { name: "@some/gateway", version: "1.2.3", program: "start.js" };

/** A `npm` that only this test knows. */
function stubNpm(folder: string, script: string): void {
  const npm = join(folder, "npm");
  writeFileSync(npm, `#!${process.execPath}\n${script}`);
  chmodSync(npm, 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);
}

/** Puts the program where npm would, and notes how it was asked. */
const INSTALLS = `
const { mkdirSync, writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
const folder = args[args.indexOf("--prefix") + 1] + "/node_modules/@some/gateway";
mkdirSync(folder, { recursive: true });
writeFileSync(folder + "/start.js", args.filter((arg) => /^--ignore|@/.test(arg) && !arg.includes("unfinished")).join(" "));
`;

describe("a peer", () => {
  let folder = "";
  let root = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "massgen-peers-"));
    root = join(folder, "peers");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it("that is not installed is missing, and the way to it is said; npm is not asked", async () => {
    stubNpm(folder, INSTALLS);
    expect(await findPeer(PEER, { install: false, root })).toEqual({
      missing: "@some/gateway 1.2.3 is not installed; `pnpm bench --peers` installs it",
    });
    expect(existsSync(root)).toBe(false);
  });

  it("is installed once, at its version, without scripts of packages", async () => {
    stubNpm(folder, INSTALLS);
    const found = await findPeer(PEER, { install: true, root });
    const program = join(root, "@some+gateway@1.2.3", "node_modules", "@some/gateway", "start.js");
    expect(found).toEqual({ program });
    stubNpm(folder, "process.exit(1);");
    expect(await findPeer(PEER, { install: true, root })).toEqual({ program });
    expect(readFileSync(program, "utf8")).toBe("--ignore-scripts @some/gateway@1.2.3");
  });

  it("that npm cannot get is missing with npm's reason, and nothing is left of it", async () => {
    stubNpm(
      folder,
      `console.error("npm warn old\\nnpm error code ENOTFOUND\\nnpm error network request failed\\nnpm error more"); process.exit(1);`,
    );
    expect(await findPeer(PEER, { install: true, root })).toEqual({
      missing: "@some/gateway 1.2.3 could not be installed: network request failed",
    });
    expect(readdirSync(root)).toEqual([]);
  });

  it("without the program it should have is missing", async () => {
    stubNpm(folder, "");
    const found = await findPeer(PEER, { install: true, root });
    expect(found).toEqual({ missing: "@some/gateway 1.2.3 has no start.js" });
  });
});

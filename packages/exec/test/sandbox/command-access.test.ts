import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUnsandboxed, findSandbox, judgeCommandAccess, type SandboxFinding } from "@massgen/exec";
import { afterAll, describe, expect, it } from "vitest";
import { findToolchains, planMounts } from "../../src/sandbox/plan-mounts.js";
import { seatbeltProfile } from "../../src/sandbox/seatbelt.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "exec-access-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const there: SandboxFinding = { found: true, build: () => createUnsandboxed() };
const missing: SandboxFinding = { found: false, reason: "No sandbox.", remedy: "Install one." };

describe("who may run commands", () => {
  it.each([
    ["auto", there, false, { is: "granted", warning: null }],
    ["require", there, false, { is: "granted", warning: null }],
    ["auto", missing, false, { is: "refused", isFatal: false, reason: "No sandbox.", remedy: "Install one." }],
    ["auto", missing, true, { is: "to_be_asked", reason: "No sandbox.", ifYes: { is: "granted" } }],
    ["require", missing, true, { is: "refused", isFatal: true }],
    ["off", there, false, { is: "granted", warning: expect.stringContaining("WITHOUT a sandbox") }],
    ["off", missing, false, { is: "granted", warning: expect.stringContaining("WITHOUT a sandbox") }],
  ] as const)("T4.8: command_line_sandbox %s, found %o, a person to ask %s", (setting, finding, mayAsk, access) => {
    expect(judgeCommandAccess(setting, finding, { mayAsk })).toMatchObject(access);
  });
});

/** A program called bwrap that does what the script says. */
function pathWithBwrap(name: string, script: string): string {
  const bin = join(folder, name);
  mkdirSync(bin);
  writeFileSync(join(bin, "bwrap"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "bwrap"), 0o755);
  return `${bin}:/usr/bin:/bin`;
}

describe.skipIf(process.platform !== "linux")("what is found on Linux", () => {
  const find = (path: string): Promise<SandboxFinding> => findSandbox({ platform: "linux", path, hostHome: "/nowhere" });

  it("T4.8: nothing installed: what to install", async () => {
    expect(await find("/no/such/folder")).toMatchObject({
      found: false,
      reason: "bubblewrap, the sandbox for commands on Linux, is not installed.",
      remedy: expect.stringMatching(/apt, dnf.*command_line_sandbox: off/),
    });
  });

  it.each([
    ["bwrap: setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns"],
    ["bwrap: No permissions to create new namespace, likely because the kernel does not allow it", "unprivileged_userns_clone"],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "systempaths=unconfined"],
    ["bwrap: something new", "command_line_execution_mode: docker"],
  ])("forbidden by the kernel: %s", async (message, remedy) => {
    const path = pathWithBwrap(
      `bin-${message.length}`,
      `[ "$1" = --version ] && echo "bubblewrap 0.0.1" && exit; echo "${message}" >&2; exit 1`,
    );
    expect(await find(path)).toMatchObject({
      found: false,
      reason: `bubblewrap 0.0.1 does not hold here: ${message}.`,
      remedy: expect.stringContaining(remedy),
    });
  });

  it("a sandbox that lets a command out is not taken for one", async () => {
    const script = `case $1 in --version) echo leaky 1;; --help) ;; *) while [ "$1" != -- ]; do [ "$1" = --chdir ] && cd "$2"; shift; done; shift; exec "$@";; esac`;
    const finding = await find(pathWithBwrap("bin-leaky", script));
    expect(finding).toMatchObject({
      found: false,
      reason: "leaky 1 does not hold here: a command in it wrote outside and read outside and reached the network.",
    });
  });

  it("another system without one is told about containers", async () => {
    expect(await findSandbox({ platform: "win32", path: "", hostHome: "/nowhere" })).toMatchObject({
      found: false,
      remedy: expect.stringContaining("docker"),
    });
  });
});

describe.skipIf(process.platform === "win32")("the plan of mounts", () => {
  it("goes from the outside in, and makes what holds something protected hard to move", () => {
    const root = join(folder, "plan");
    for (const path of ["a/b/c", "a/.massgen/ws"]) mkdirSync(join(root, path), { recursive: true });
    const walls = {
      writable: [join(root, "a"), join(root, "a/.massgen/ws")],
      readable: [],
      protected: [join(root, "a/b/c"), join(root, "a/missing")],
      hidden: [join(root, "a/.massgen")],
      network: "none",
    } as const;
    const mounts = planMounts(walls, { toolchains: [], tmp: join(root, "tmp") });
    expect(mounts.filter(({ path }) => path.startsWith(root)).map(({ kind, path }) => `${kind} ${path.slice(root.length)}`)).toEqual([
      "writable /a",
      "masked_folder /a/.massgen",
      "writable /a/b",
      "writable /a/.massgen/ws",
      "read_only /a/b/c",
    ]);
  });

  it("T2.14: of a path granted twice the stricter grant holds", () => {
    const root = join(folder, "twice");
    mkdirSync(root);
    const walls = { writable: [root], readable: [root], protected: [], hidden: [], network: "none" } as const;
    const kinds = planMounts(walls, { toolchains: [], tmp: "/x" }).filter(({ path }) => path === root);
    expect(kinds.map(({ kind }) => kind)).toEqual(["read_only"]);
  });

  it("toolchains of a home come without what lies beside them", () => {
    const home = join(folder, "home");
    for (const path of [
      ".cargo/bin",
      ".rustup",
      ".nvm/versions/node/v24/bin",
      ".nvm/versions/node/v24/lib",
      ".local/bin",
      ".local/share/keyrings",
      "bin",
    ])
      mkdirSync(join(home, path), { recursive: true });
    writeFileSync(join(home, ".cargo/credentials.toml"), "token");
    symlinkSync(join(home, ".local/share"), join(home, "trap"));
    const path = [".cargo/bin", ".nvm/versions/node/v24/bin", ".local/bin", "bin", "missing/bin"]
      .map((entry) => join(home, entry))
      .join(":");
    expect(findToolchains(`/usr/bin:/:${home}:${path}`, home).map((found) => found.slice(home.length + 1))).toEqual([
      ".cargo/bin",
      ".rustup",
      ".nvm/versions/node/v24/bin",
      ".nvm/versions/node/v24/lib",
      ".local/bin",
      "bin",
    ]);
  });
});

describe("the profile for macOS", () => {
  it("denies before it grants, hides last, and carries paths only as parameters", () => {
    const { profile, parameters } = seatbeltProfile(
      {
        writable: ['/w")(allow default', "/w/.massgen/ws"],
        readable: ["/r"],
        protected: ["/w/p"],
        hidden: ["/w/.massgen"],
        network: "none",
      },
      { toolchains: ["/Users/me/.cargo/bin"], hostHome: "/Users/me" },
    );
    expect(profile).not.toContain("/w");
    const rules = parameters.map(([name, path]) => [
      profile
        .split("\n")
        .find((line) => line.includes(`"${name}"`))
        ?.split(" (subpath")[0],
      path,
    ]);
    expect(rules.slice(-5)).toEqual([
      ["(allow file-read* file-write*", "/w/.massgen/ws"],
      ["(deny file-write*", "/r"],
      ["(deny file-write*", "/w/p"],
      ["(deny file-read* file-write*", "/w/.massgen"],
      ["(allow file-read* file-write*", "/w/.massgen/ws"],
    ]);
    expect(rules[0]).toEqual(["(deny file-read*", "/Users/me"]);
    expect(profile.endsWith("(deny network*)")).toBe(true);
  });
});

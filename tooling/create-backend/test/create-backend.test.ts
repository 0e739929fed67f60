import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { root, run, tool } from "../../scripts/run.mjs";
import { createBackend } from "../create-backend.mjs";

const linked = ["contracts", "backend-kit", "testing", "simulator"];

/** Where the package goes in a repository that has the tooling of this one. */
function freshFolder(): string {
  const home = mkdtempSync(join(tmpdir(), "massgen-create-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, "packages"));
  for (const name of linked) symlinkSync(join(root, "packages", name), join(home, "packages", name));
  symlinkSync(join(root, "tooling"), join(home, "tooling"));
  return join(home, "packages/backend-my-vendor");
}

/** What `pnpm install` would link. */
function link(folder: string): void {
  mkdirSync(join(folder, "node_modules/@massgen"), { recursive: true });
  for (const name of linked) symlinkSync(join(root, "packages", name), join(folder, "node_modules/@massgen", name));
  for (const name of ["vitest", "@types"]) symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
}

const conditions = ["@massgen/source", "module", "node", "development|production"];
const vitestConfig = { resolve: { conditions }, ssr: { resolve: { conditions, externalConditions: conditions } } };
const typesConfig = {
  extends: join(root, "tooling/tsconfig/base.json"),
  compilerOptions: {
    noEmit: true,
    composite: false,
    incremental: false,
    declaration: true,
    customConditions: ["@massgen/source"],
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    types: ["node"],
  },
  include: ["src", "test"],
};

describe("pnpm create-backend", () => {
  it("writes a package that type-checks and passes the conformance suite as it is", { timeout: 120_000 }, async () => {
    const folder = freshFolder();
    expect(createBackend("my-vendor", folder)).toContain(join("test", "contract.test.ts"));
    link(folder);
    writeFileSync(join(folder, "types.json"), JSON.stringify(typesConfig));
    writeFileSync(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify(vitestConfig)};`);

    expect((await run(tool("tsc", "-p", join(folder, "types.json"), "--pretty", "false"))).output).toBe("");
    const { ok, output } = await run(tool("vitest", "run", "--root", folder), { cwd: folder });
    expect(output).toMatch(/Test Files\s+2 passed \(2\)/);
    expect(output).not.toMatch(/failed|skipped/);
    expect(ok).toBe(true);
  });

  it("puts the name where the template has its own, each in its spelling", () => {
    const folder = freshFolder();
    createBackend("my-vendor", folder);
    const text = (file: string): string => readFileSync(join(folder, file), "utf8");
    expect(JSON.parse(text("package.json")).name).toBe("@massgen/backend-my-vendor");
    expect(text("src/index.ts")).toContain("createMyVendor");
    expect(text("README.md")).toContain("MY_VENDOR_API_KEY");
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) expect(text(join(entry.parentPath, entry.name).slice(folder.length + 1)).toLowerCase()).not.toContain("parrot");
  });

  it.for(["", "My-Vendor", "9lives", "a--b", "a-", "../a", "a b"])("refuses the name %j and writes nothing", (name) => {
    const folder = freshFolder();
    expect(() => createBackend(name, folder)).toThrow(/is no name for an adapter/);
    expect(() => readdirSync(folder)).toThrow(/ENOENT/);
  });

  it("never writes into a folder that exists", () => {
    const folder = freshFolder();
    mkdirSync(folder);
    expect(() => createBackend("vendor", folder)).toThrow(/exists already/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { missingChangeset } from "../changeset.mjs";

describe("changesets", () => {
  it.each([
    [["packages/core/src/run.ts"], "packages/core/src/run.ts changed without"],
    [["packages/core/package.json", "apps/cli/src/a.ts", "README.md"], "packages/core/package.json and 1 more changed without"],
    [["packages/core/src/run.ts", ".changeset/README.md"], "changed without"],
  ])("are missed for %j", (changed, expected) => {
    expect(missingChangeset(changed)).toContain(expected);
  });

  it.each([
    [["packages/core/src/run.ts", ".changeset/brave-owls-vote.md"]],
    [["packages/core/test/run.test.ts", "docs/a.md", "tooling/bench/src/main.ts"]],
    [[""]],
  ])("are not missed for %j", (changed) => {
    expect(missingChangeset(changed)).toBeNull();
  });
});

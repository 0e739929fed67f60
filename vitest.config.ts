import { defineConfig } from "vitest/config";

// The condition reads every package from its sources, so no test needs a build first.
// Not `module`, which is for bundlers: what some packages offer there is nothing that Node can import.
const conditions = ["@massgen/source", "node", "development|production"];

// One project per environment, never one per package: every project transforms the shared sources again.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    maxWorkers: 2,
    // A guard against what hangs, not a measure of speed: shared machines stall for seconds.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for may take as long there, too; one second is the default.
    expect: { poll: { timeout: 20_000 } },
    coverage: { provider: "v8", include: ["packages/*/src/**"] },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          pool: "threads",
          isolate: false, // files share their modules: four times faster, and a test that changes a global is seen at once
          include: ["{packages,apps,tooling}/*/test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/*.e2e.test.ts"],
        },
      },
      {
        // Starts the built program as a person would, so it needs `pnpm build` first.
        extends: true,
        test: {
          name: "e2e",
          pool: "forks",
          // Programs and browsers are waited for: two workers leave a third of two cores idle. After the others, as it has other workers.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          include: ["apps/*/test/e2e/**/*.e2e.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

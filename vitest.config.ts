import { defineConfig } from "vitest/config";

// The condition reads every package from its sources, so no test needs a build first.
const conditions = ["@massgen/source", "module", "node", "development|production"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: "threads",
    maxWorkers: 2,
    isolate: false,
    include: ["{packages,apps,tooling}/*/test/**/*.test.ts"],
    coverage: { provider: "v8", include: ["packages/*/src/**"] },
  },
});

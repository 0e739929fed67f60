/**
 * Who may import whom. A package, an arrow or an outside dependency that is not here fails the check,
 * and so does a row without a package: the table and the tree stay one picture.
 *
 * `ring`     0 and 1 run on any JavaScript runtime; 2 needs Node; 3 composes, nobody builds on it.
 * `ours`     packages its sources may import. Its tests may import those of `forTests` as well.
 * `outside`  packages from elsewhere that it may depend on; adding one is a decision.
 *
 * @typedef {{ ring: 0 | 1 | 2 | 3, ours: readonly string[] | "any", outside: readonly string[] | "any", bundled?: boolean }} Row
 * @typedef {Readonly<Record<string, Row>>} Arrows
 */

/** @type {Arrows} */
export const arrows = {
  "packages/contracts": { ring: 0, ours: [], outside: [] },
  "packages/kernel": { ring: 0, ours: ["contracts"], outside: [] },

  "packages/views": { ring: 1, ours: ["contracts", "kernel"], outside: [] },
  "packages/evaluation": { ring: 1, ours: ["contracts", "views"], outside: [] },
  "packages/core": { ring: 1, ours: ["contracts", "kernel"], outside: [] },
  "packages/backend-kit": { ring: 1, ours: ["contracts"], outside: ["eventsource-parser"] },
  "packages/backend-chat-completions": { ring: 1, ours: ["contracts", "backend-kit"], outside: ["openai"] },
  "packages/backend-openai": { ring: 1, ours: ["contracts", "backend-kit"], outside: ["openai"] },
  "packages/backend-anthropic": { ring: 1, ours: ["contracts", "backend-kit"], outside: ["@anthropic-ai/sdk"] },
  "packages/backend-gemini": { ring: 1, ours: ["contracts", "backend-kit"], outside: ["@google/genai"] },
  "packages/config": { ring: 1, ours: ["contracts"], outside: ["yaml", "zod"] },
  "packages/client": { ring: 1, ours: ["contracts"], outside: ["eventsource-parser", "zod"] },
  "packages/testing": { ring: 1, ours: ["contracts", "kernel"], outside: ["vitest", "fast-check"] },

  "packages/logs": { ring: 2, ours: ["contracts", "kernel", "views"], outside: ["yaml", "string-width"] },
  // Markdown is parsed by a library and rendered by us: no HTML of a model passes. Zip: 8 KB without dependencies.
  "packages/export": { ring: 2, ours: ["contracts", "kernel", "views", "logs"], outside: ["marked", "fflate"] },
  "packages/store-postgres": { ring: 2, ours: ["contracts"], outside: ["@dbos-inc/dbos-sdk", "pg"] },
  "packages/telemetry": {
    ring: 2,
    ours: ["contracts"],
    outside: [
      "@opentelemetry/api",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-trace-node",
      "@opentelemetry/sdk-metrics",
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/exporter-metrics-otlp-http",
    ],
  },
  "packages/policy": { ring: 2, ours: ["contracts"], outside: ["unbash", "ipaddr.js", "picomatch"] },
  "packages/workspace": { ring: 2, ours: ["contracts", "policy"], outside: ["picomatch", "diff"] },
  "packages/exec": { ring: 2, ours: ["contracts", "policy"], outside: [] },
  "packages/tools": {
    ring: 2,
    ours: ["contracts", "policy", "workspace", "exec"],
    outside: ["ignore", "diff", "@vscode/ripgrep", "jiti", "zod"],
  },
  "packages/mcp": { ring: 2, ours: ["contracts", "policy", "exec"], outside: ["@modelcontextprotocol/sdk", "ajv"] },
  "packages/simulator": { ring: 2, ours: ["contracts"], outside: [] },

  // The one package that names every official backend and store.
  "packages/sdk": {
    ring: 3,
    ours: [
      "contracts",
      "kernel",
      "views",
      "core",
      "config",
      "logs",
      "policy",
      "workspace",
      "exec",
      "tools",
      "mcp",
      "backend-kit",
      "backend-chat-completions",
      "backend-openai",
      "backend-anthropic",
      "backend-gemini",
    ],
    outside: ["https-proxy-agent"],
  },
  "packages/tui": { ring: 3, ours: ["contracts", "kernel", "views"], outside: ["@earendil-works/pi-tui", "diff"] },
  "apps/server": {
    ring: 3,
    ours: ["contracts", "views", "config", "logs", "export", "client", "sdk", "store-postgres"],
    outside: ["fastify", "@fastify/cors", "@fastify/rate-limit", "@fastify/static", "@modelcontextprotocol/sdk", "prom-client", "zod"],
  },
  // Built into a page, so its dependencies are development dependencies. wouter: 2 KB, routes behind `#`, below any prefix.
  "apps/web": {
    ring: 3,
    bundled: true,
    ours: ["contracts", "kernel", "views", "client"],
    outside: ["react", "react-dom", "wouter", "marked", "diff"],
  },
  // Bundled: what it needs is in its files, so its dependencies are development dependencies.
  "apps/cli": {
    ring: 3,
    bundled: true,
    ours: [
      "client",
      "contracts",
      "kernel",
      "views",
      "evaluation",
      "config",
      "exec",
      "export",
      "logs",
      "sdk",
      "server",
      "telemetry",
      "simulator",
      "tui",
      "web",
    ],
    outside: ["commander", "@clack/prompts", "picocolors", "string-width"],
  },
  // For tests: the browser of this machine.
  "tooling/browser": { ring: 3, ours: [], outside: ["axe-core", "playwright-core"] },
  "tooling/bench": { ring: 3, ours: "any", outside: "any" },
};

/** What tests may import besides the arrows of their package. */
export const forTests = ["testing", "simulator", "core", "browser"];

/** Adapters never see the engine; said separately because it is the arrow that would hurt most. */
export const engine = ["kernel", "core"];
/** @param {string} name short name of a package */
export const isAdapter = (name) => /^(backend-|store-)/.test(name) || ["mcp", "tools", "workspace", "exec"].includes(name);

/** The edge files that may read clock, chance, timers and `fetch`, and hand them to everybody else as `Ambient`. */
export const ambientFiles = [
  "packages/core/src/ambient/system-ambient.ts",
  "packages/backend-kit/src/web-ambient.ts",
  "packages/client/src/web-edge.ts",
];

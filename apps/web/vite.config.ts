import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** Diagrams are drawn in a frame without an origin, which may load a plain script and no module. */
const mermaid: Plugin = {
  name: "mermaid",
  apply: "build",
  generateBundle() {
    const root = dirname(createRequire(import.meta.url).resolve("@mermaid-js/tiny/package.json"));
    const emit = (name: string, from: string): void => {
      this.emitFile({ type: "asset", fileName: `preview/${name}`, source: readFileSync(join(root, from)) });
    };
    emit("mermaid.js", "dist/mermaid.tiny.js");
    emit("mermaid.LICENSE.txt", "LICENSE");
  },
};

// Everything relative: the page works below any prefix a proxy gives it.
export default defineConfig({
  base: "./",
  plugins: [mermaid],
  build: {
    outDir: "page",
    emptyOutDir: true,
    target: "es2022",
    // Small pictures as data in the script would be one more source the policy has to allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Says what is loaded with what; read by the benchmark size.web.
    manifest: "manifest.json",
    license: { fileName: "THIRD-PARTY-LICENSES.md" },
  },
  resolve: { conditions: ["@massgen/source", "browser", "module", "import", "default"] },
});

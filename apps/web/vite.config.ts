import { defineConfig } from "vite";

// Everything relative: the page works below any prefix a proxy gives it.
export default defineConfig({
  base: "./",
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

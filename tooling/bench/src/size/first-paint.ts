import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { counted, type Result } from "../harness/metric.js";

const PAGE = fileURLToPath(new URL("../../../../apps/web/page/", import.meta.url));
/** What the browser loads at `/`: the entry, then the page it names. */
const FIRST = ["index.html", "src/pages/home.tsx"];

type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>;

/** Gzipped JavaScript before the first paint of the web page. */
export function firstPaint(): readonly Result[] {
  const path = join(PAGE, "manifest.json");
  if (!existsSync(path)) return [{ bench: "size.web", skipped: "the page is not built: pnpm build" }];
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  const files = new Set(FIRST.flatMap((name) => filesOf(manifest, name)));
  const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(PAGE, file))).byteLength, 0);
  return [
    counted({ bench: "size.web", metric: "gzipped, before the first paint", unit: "kB" }, { ours: bytes / 1000 }, { must: 180, aim: 90 }),
  ];
}

function filesOf(manifest: Manifest, name: string): readonly string[] {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`The page has no ${name} any more; name what is loaded first in first-paint.ts.`);
  return [chunk.file, ...(chunk.imports ?? []).flatMap((other) => filesOf(manifest, other))];
}

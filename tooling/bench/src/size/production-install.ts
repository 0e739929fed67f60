import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

export interface InstallSize {
  readonly packages: number;
  readonly bytes: number;
}

interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
}

/**
 * Walks from a package to everything a production install of it brings, as far as it is installed here. Of packages of this
 * workspace only what they publish counts.
 */
export function measureInstall(folder: string): InstallSize {
  const seen = new Map<string, number>();
  const visit = (at: string): void => {
    const real = realpathSync(at);
    if (seen.has(real)) return;
    const manifest = readManifest(real);
    const isOurs = !real.includes(`${join("node_modules", ".pnpm")}`);
    seen.set(real, isOurs ? publishedBytes(real, manifest) : bytesIn(real));
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      const found = resolvePackage(real, name);
      if (found !== null) visit(found);
    }
  };
  visit(folder);
  return { packages: seen.size, bytes: [...seen.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** As node looks it up: in every `node_modules` on the way to the root. Optional packages of other platforms are absent. */
function resolvePackage(from: string, name: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (dirname(at) === at) return null;
  }
}

function publishedBytes(folder: string, { files = [] }: Manifest): number {
  const hidden = files.filter((pattern) => pattern.startsWith("!"));
  const listed = ["package.json", "README.md", "LICENSE", ...files.filter((pattern) => !pattern.startsWith("!"))];
  const isPublished = (path: string): boolean => !hidden.some((pattern) => matches(path, pattern.slice(1)));
  return listed.reduce(
    (sum, entry) =>
      sum + (existsSync(join(folder, entry)) ? bytesIn(join(folder, entry), (path) => isPublished(path.slice(folder.length + 1))) : 0),
    0,
  );
}

/** The few patterns our manifests use: a path, a folder, and `**` with an ending. */
function matches(path: string, pattern: string): boolean {
  const [folder, ending] = pattern.split("/**/*");
  return ending === undefined ? path === pattern || path.startsWith(`${pattern}/`) : path.startsWith(`${folder}/`) && path.endsWith(ending);
}

function bytesIn(path: string, counts: (path: string) => boolean = () => true): number {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return 0;
  if (stats.isFile()) return counts(path) ? stats.size : 0;
  if (!stats.isDirectory()) return 0;
  return readdirSync(path).reduce((sum, name) => sum + (name === "node_modules" ? 0 : bytesIn(join(path, name), counts)), 0);
}

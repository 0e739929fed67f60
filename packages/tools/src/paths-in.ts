const NAMED_LIKE_PATHS =
  /(?:^|_|[a-z](?=[A-Z]))(?:path|file|dir|directory|folder|filename|source|src|dest|destination|target|cwd|root|uri)s?$/i;
const MAX_DEPTH = 5;

/** Values of arguments that are named like paths, nested ones too (docs/spec/tools.md 6.1). `file:` addresses are decoded. */
export function pathsIn(input: unknown): readonly string[] {
  return [...collect(input, false, 0)];
}

function* collect(value: unknown, isNamed: boolean, depth: number): Generator<string> {
  if (typeof value === "string") {
    const path = isNamed ? asPath(value) : null;
    if (path !== null) yield path;
  } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const [key, child] of Object.entries(value))
      yield* collect(child, Array.isArray(value) ? isNamed : NAMED_LIKE_PATHS.test(key), depth + 1);
  }
}

/** `null` for what is no path: nothing, and addresses of other kinds. */
function asPath(value: string): string | null {
  if (value.startsWith("file://")) {
    try {
      return decodeURIComponent(new URL(value).pathname);
    } catch {
      return value;
    }
  }
  return value === "" || /^[a-z][a-z0-9+.-]+:\/\//i.test(value) ? null : value;
}

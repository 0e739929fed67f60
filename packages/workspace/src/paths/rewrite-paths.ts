/** A folder that gets another name wherever a text names it, or something in it. */
export interface PathRule {
  /** Absolute, without a separator at its end. */
  readonly from: string;
  readonly to: string;
}

export interface RewriteOptions {
  /** Finds `~/x` too. */
  readonly home?: string;
  /** For disks on which `A` and `a` are one name. Default `false`. */
  readonly ignoreCase?: boolean;
}

/**
 * Gives folders in a text their other names. `/ws/a1` is found in `/ws/a1/out.md` and in "see /ws/a1.", never in `/ws/a10`
 * or `/ws/a1.bak`; of two folders that fit, the longer counts. Found as it is, as `~/…`, as a `file:` URL, percent-encoded,
 * and, for Windows, with `/` and with the doubled `\` of JSON.
 */
export function rewritePaths(text: string, rules: readonly PathRule[], { home, ignoreCase = false }: RewriteOptions = {}): string {
  const targets = new Map<string, string>();
  const key = (form: string): string => (ignoreCase ? form.toLowerCase() : form);
  for (const { from, to } of rules) for (const form of formsOf(from, home)) if (!targets.has(key(form))) targets.set(key(form), to);
  if (targets.size === 0) return text;
  const longestFirst = [...targets.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?:${longestFirst.map(escaped).join("|")})${BOUNDARY}`, ignoreCase ? "giu" : "gu");
  return text.replace(pattern, (form) => targets.get(key(form)) ?? form);
}

/** No letter or sign that could go on with the name; a dot does when something follows it. */
const BOUNDARY = String.raw`(?![\p{L}\p{M}\p{N}_@+~-]|\.+[\p{L}\p{N}_])`;

function formsOf(path: string, home: string | undefined): readonly string[] {
  if (path === "" || path === "/") return [];
  const forms = [path];
  if (home !== undefined && path.startsWith(`${home}/`)) forms.push(`~${path.slice(home.length)}`);
  const slashed = path.replaceAll("\\", "/");
  if (slashed !== path) forms.push(slashed, path.replaceAll("\\", "\\\\"));
  const encoded = slashed
    .split("/")
    .map(encodeURIComponent)
    .join("/")
    .replace(/^([A-Za-z])%3A/, "$1:");
  const rooted = encoded.startsWith("/") ? encoded : `/${encoded}`;
  forms.push(
    encoded,
    encodeURIComponent(path),
    ...["file://", "file://localhost"].flatMap((scheme) => [scheme + rooted, scheme + rootedRaw(slashed)]),
  );
  return [...new Set(forms)];
}

const rootedRaw = (slashed: string): string => (slashed.startsWith("/") ? slashed : `/${slashed}`);

const escaped = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

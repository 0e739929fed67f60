/** Names under which secrets stand in environments and configurations. */
const SECRET_NAME =
  /(?:^|[_\-.])(?:api[_-]?keys?|apikey|keys?|tokens?|secrets?|passwords?|passwd|pwd|credentials?|auth|authorization|cookie|private[_-]?key|access[_-]?key|dsn)(?:$|[_\-.\d])/i;
/** Names that look like it and are not: limits and counts of tokens, switches, places, names of variables. */
const HARMLESS_NAME =
  /(?:max|min|total|num|count|limit|budget|input|output|context|reasoning|thinking|per|completion)[_-]?.*tokens?|tokens?[_-]?(?:limit|count|budget|usage|per)|_(?:path|file|dir|url|name|env|type|id)$|^tokens$|^(?:auth|key)_?(?:type|method|mode|strategy)$/i;

/** `OPENAI_API_KEY`, `apiKey`, `x-api-key`, `Authorization`, `DESK_TOKEN`; not `max_tokens`, `keyboard`, `SSH_KEY_PATH`. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1_$2");
  return SECRET_NAME.test(words) && !HARMLESS_NAME.test(words);
}

/** Folders and sockets in every environment, whose names only look like it. */
const HARMLESS_VARIABLES: ReadonlySet<string> = new Set(["PWD", "OLDPWD", "SSH_AUTH_SOCK", "XAUTHORITY", "GOOGLE_APPLICATION_CREDENTIALS"]);

/** Values of variables whose name says that they are secret. */
export const secretsInEnvironment = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => {
    const isSecret = value !== undefined && value !== "" && !HARMLESS_VARIABLES.has(name) && isSecretName(name);
    return isSecret ? [value] : [];
  });

/**
 * Every value of a configuration that stands where secrets stand: under a name that says so, after a flag that says so
 * (`--token`, `x`), in the query or the user part of a URL, in a header.
 */
export function secretsInConfig(config: unknown): readonly string[] {
  const found: string[] = [];
  visit(config, false, found);
  return [...new Set(found)];
}

function visit(value: unknown, isSecret: boolean, found: string[]): void {
  if (typeof value === "string") {
    if (isSecret) found.push(...secretParts(value));
    found.push(...secretsInUrl(value));
  } else if (Array.isArray(value)) {
    value.forEach((item: unknown, place) => {
      visit(item, isSecret || isSecretFlag(value[place - 1]), found);
      if (typeof item === "string") found.push(...secretOfFlag(item));
    });
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) visit(item, isSecret || isSecretName(name), found);
  }
}

/** `Bearer xyz` is the secret `xyz`. A reference to a variable is none. */
function secretParts(value: string): readonly string[] {
  const bare = value.replace(/^(?:bearer|basic|token)\s+/i, "");
  return /^\$\{?\w+\}?$/.test(bare) ? [] : [bare];
}

export const isSecretFlag = (argument: unknown): boolean =>
  typeof argument === "string" && /^--?[\w-]+$/.test(argument) && isSecretName(argument.replace(/^-+/, ""));

/** `--token=xyz` */
function secretOfFlag(argument: string): readonly string[] {
  const [, flag, value] = /^(--?[\w-]+)=(.+)$/.exec(argument) ?? [];
  return value !== undefined && isSecretFlag(flag) ? [value] : [];
}

function secretsInUrl(text: string): readonly string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return [];
  const url = new URL(text);
  const query = [...url.searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value, encodeURIComponent(value)] : []));
  return [...query, ...(url.password === "" ? [] : [url.password, decodeURIComponent(url.password)])];
}

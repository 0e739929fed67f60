import { type LoadedConfig, type ParseOptions, parseConfig } from "../parse-config.js";

/** Configs a server is asked for in turn; a larger text is read anew each time, so that what is held stays small. */
const MAX_KEPT = 8;
const MAX_CHARS = 65_536;

interface Kept {
  readonly text: string;
  readonly file: string;
  readonly env: string;
  readonly loaded: LoadedConfig;
}

/**
 * `parseConfig`, which asked again for the same text in the same environment gives what it gave before: a server reads its
 * config for every request. Goes by what the file holds and not by its time, so that no change is missed; nobody may
 * change what it gives. What is asked for with overrides is not kept: they belong to one call.
 */
export function createRememberingParser(): (text: string, options: ParseOptions & { readonly file: string }) => LoadedConfig {
  /** The one asked for last is the last. */
  const kept: Kept[] = [];
  return (text, options) => {
    const { file, env = {}, overrides = {} } = options;
    if (text.length > MAX_CHARS || Object.keys(overrides).length > 0) return parseConfig(text, options);
    const environment = JSON.stringify(env);
    const index = kept.findIndex((one) => one.file === file && one.text === text && one.env === environment);
    const found = index < 0 ? null : kept.splice(index, 1)[0];
    const one = found ?? { text, file, env: environment, loaded: parseConfig(text, options) };
    kept.push(one);
    if (kept.length > MAX_KEPT) kept.shift();
    return one.loaded;
  };
}

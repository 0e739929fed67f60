import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { isRecord } from "../tools/read-tool.js";
import type { KnownLogin, Logins } from "./known-login.js";
import { createProvider } from "./provider.js";

/** Keeps logins to servers between runs, in one file that only its owner reads. */
export interface TokenStore extends Logins {
  /** For a server that somebody has logged in to; `null` for any other, so that nothing is asked of it. */
  providerFor(url: string): Promise<OAuthClientProvider | null>;
}

/** `file`: absolute; made, with mode 0600, by the first login. */
export function createTokenStore(file: string): TokenStore {
  let queue: Promise<unknown> = Promise.resolve();

  async function readAll(): Promise<Readonly<Record<string, KnownLogin>>> {
    try {
      const all: unknown = JSON.parse(await readFile(file, "utf8"));
      return isRecord(all) ? (all as Readonly<Record<string, KnownLogin>>) : {};
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
      throw new Error(`${file} cannot be read (${error instanceof Error ? error.message : String(error)}). Remove it and log in again.`, {
        cause: error,
      });
    }
  }

  async function change(url: string, make: (login: KnownLogin) => KnownLogin | null): Promise<void> {
    const { [url]: before = {}, ...others } = await readAll();
    const after = make(before);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const next = `${file}.${process.pid}.tmp`;
    await writeFile(next, `${JSON.stringify(after === null ? others : { ...others, [url]: after }, null, 2)}\n`, { mode: 0o600 });
    // A file that was there keeps its mode.
    await chmod(next, 0o600);
    await rename(next, file);
  }

  const store: TokenStore = {
    async providerFor(url) {
      const login = await store.read(url);
      return login.tokens === undefined ? null : createProvider(url, store, null);
    },
    read: async (url) => (await readAll())[url] ?? {},
    write(url, make) {
      const done = queue.then(() => change(url, make));
      queue = done.catch(() => {});
      return done;
    },
  };
  return store;
}

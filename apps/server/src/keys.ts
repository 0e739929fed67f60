import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A key of a client as it is kept: whoever reads the file learns no key. */
export interface HashedKey {
  /** For logs, metrics and limits. */
  readonly name: string;
  /** SHA-256 of the key, 32 bytes. Keys are long and random, so that a plain hash cannot be guessed back. */
  readonly hash: Uint8Array;
}

export interface KeyRing {
  /** The name of the key, or `null` for one that is not on the ring. Takes the same time for every key. */
  readonly nameOf: (key: string) => string | null;
}

export const hashKey = (key: string): Uint8Array => createHash("sha256").update(key).digest();

export function keyRing(keys: readonly HashedKey[]): KeyRing {
  return {
    nameOf(key) {
      const hash = hashKey(key);
      let found: string | null = null;
      for (const one of keys) if (timingSafeEqual(hash, one.hash)) found ??= one.name;
      return found;
    },
  };
}

/** A new key of 32 random bytes and the line of a key file that stands for it. */
export function newKey(name: string): { readonly key: string; readonly line: string } {
  const key = `mg-${randomBytes(32).toString("base64url")}`;
  return { key, line: `${name} sha256:${Buffer.from(hashKey(key)).toString("hex")}` };
}

const LINE = /^([\w.@-]{1,64})\s+sha256:([0-9a-f]{64})$/;

/**
 * The keys of a key file: a name and a hash a line, `#` begins a comment.
 *
 * @throws RangeError naming the first line that is neither; its text is not repeated, it may be a key
 */
export function readKeyFile(text: string): readonly HashedKey[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const bare = line.replace(/#.*$/, "").trim();
    if (bare === "") return [];
    const [, name, hash] = LINE.exec(bare) ?? [];
    if (name === undefined || hash === undefined) throw new RangeError(`line ${index + 1} is not "name sha256:<64 hex digits>"`);
    return [{ name, hash: Buffer.from(hash, "hex") }];
  });
}

import { describe, expect, it } from "vitest";
import { keyRing, newKey, readKeyFile } from "../src/index.js";

describe("keys of clients", () => {
  it("are known by their hash alone, and by no other key", () => {
    const { key, line } = newKey("alice");
    expect(line).not.toContain(key);
    const ring = keyRing(readKeyFile(`# of the team\n\n${line}\n`));
    expect(ring.nameOf(key)).toBe("alice");
    for (const other of ["", `${key} `, key.slice(0, -1), newKey("bob").key]) expect(ring.nameOf(other)).toBeNull();
  });

  it.each(["alice", "alice sha256:abc", "sk-something-secret", "a b sha256:0"])(
    "a line that is none is refused by number, not repeated: %s",
    (line) => {
      expect(() => readKeyFile(`# one\n${line}`)).toThrow(/^line 2 is not "name sha256:<64 hex digits>"$/);
    },
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appended, emptyList, type GrowList, itemsOf, lastOf } from "../src/grow-list.js";

describe("a list that only grows", () => {
  it("keeps every older version as it was, whatever is appended to it or to newer ones", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 })), (places) => {
        const versions: { list: GrowList<number>; items: readonly number[] }[] = [{ list: emptyList, items: [] }];
        for (const [value, place] of places.entries()) {
          const { list, items } = versions[place % versions.length]!;
          versions.push({ list: appended(list, value), items: [...items, value] });
        }
        for (const { list, items } of versions) {
          expect(itemsOf(list)).toEqual(items);
          expect(lastOf(list)).toBe(items.at(-1));
        }
      }),
    );
  });

  it("does not copy when it is appended to at its end", () => {
    const one = appended(emptyList as GrowList<string>, "a");
    expect(appended(one, "b").shared).toBe(one.shared);
  });
});

import { expect, it } from "vitest";
import { en } from "../src/text/en.js";
import { fill } from "../src/text/fill.js";
import { zh } from "../src/text/zh.js";

it("puts into both languages the same values", () => {
  const namesIn = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "").toSorted();
  for (const [name, text] of Object.entries(en)) expect([name, namesIn(zh[name as keyof typeof en])]).toEqual([name, namesIn(text)]);
});

it("leaves nothing untranslated", () => {
  expect(Object.entries(zh).filter(([name, text]) => text === en[name as keyof typeof en])).toEqual([]);
});

it("puts values in and leaves what has none", () => {
  expect(fill("{a} of {b}", { a: 1 })).toBe("1 of {b}");
});

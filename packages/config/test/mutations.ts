/** A number generator that gives the same run every time: xorshift on 32 bits. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

type Pick = (below: number) => number;
type Holder = Record<string, unknown> | unknown[];

const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  3_000_000_000,
  "",
  "yes",
  "true",
  "5",
  "x y",
  "日本語",
  "\u202Eabc",
  "e\u0301",
  "👩‍👩‍👧",
  "\u0000",
  "$" + "{NOPE}",
  "$" + "{",
  [],
  {},
  [null],
  [[]],
  { a: 1 },
  [{ a: 1 }],
  "sk-abcdefghijklmnop",
];
const KEYS = [
  "backend",
  "agents",
  "type",
  "__proto__",
  "constructor",
  "toString",
  "",
  "日本語",
  "a.b",
  "a b",
  "x-note",
  "max_rounds",
  "<<",
  "👩‍👩‍👧",
];

const isHolder = (value: unknown): value is Holder => typeof value === "object" && value !== null;

function holders(value: unknown, found: Holder[] = []): Holder[] {
  if (!isHolder(value)) return found;
  if (Object.keys(value).length > 0) found.push(value);
  for (const part of Object.values(value)) holders(part, found);
  return found;
}

/** A copy of `config` with one to three faults: something deleted, renamed, retyped, nested wrongly, or moved elsewhere. */
export function damage(config: unknown, pick: Pick): unknown {
  const root: unknown = structuredClone(config);
  for (let faults = 1 + pick(3); faults > 0; faults--) {
    const places = holders(root);
    const place = places[pick(Math.max(1, places.length))];
    if (place === undefined) return root;
    const keys = Object.keys(place);
    const key = keys[pick(keys.length)]!;
    damageAt(place as Record<string, unknown>, key, places, pick);
  }
  return root;
}

function damageAt(place: Record<string, unknown>, key: string, places: readonly Holder[], pick: Pick): void {
  const value = place[key];
  const take = (): void => {
    if (Array.isArray(place)) place.splice(Number(key), 1);
    else delete place[key];
  };
  const put = (at: Record<string, unknown>, name: string, what: unknown): void => {
    if (Array.isArray(at)) at.splice(Number(name) || 0, at === place && name === key ? 1 : 0, what);
    else Object.defineProperty(at, name, { value: what, enumerable: true, configurable: true, writable: true });
  };
  const ways: readonly (() => void)[] = [
    take,
    () => {
      take();
      put(place, misspelt(key, pick), value);
    },
    () => put(place, key, structuredClone(VALUES[pick(VALUES.length)])),
    () => put(place, key, structuredClone(VALUES[pick(VALUES.length)])),
    () => put(place, key, pick(2) === 0 ? [value] : { [KEYS[pick(KEYS.length)]!]: value }),
    () => put(place, KEYS[pick(KEYS.length)]!, structuredClone(VALUES[pick(VALUES.length)])),
    () => put(places[pick(places.length)] as Record<string, unknown>, key, structuredClone(value)),
  ];
  ways[pick(ways.length)]!();
}

function misspelt(key: string, pick: Pick): string {
  const at = pick(key.length + 1);
  const ways = [
    key.slice(0, at) + key.slice(at + 1),
    `${key.slice(0, at)}e${key.slice(at)}`,
    key.toUpperCase(),
    `${key}_日本`,
    `${key}\u200B`,
  ];
  return ways[pick(ways.length)]!;
}

/** A text with a line taken out, doubled, shifted, or with a character put in. */
export function damageText(text: string, pick: Pick): string {
  const lines = text.split("\n");
  for (let faults = 1 + pick(3); faults > 0; faults--) {
    const at = pick(lines.length);
    const line = lines[at] ?? "";
    const column = pick(line.length + 1);
    const stray = [":", "\t", '"', "'", "{", "]", "- ", "&a ", "*b ", "é", "👩‍👩‍👧", "\u202E", "#", "|", "%"];
    const ways: (() => unknown)[] = [
      () => lines.splice(at, 1),
      () => lines.splice(at, 0, line),
      () => (lines[at] = `  ${line}`),
      () => (lines[at] = line.trimStart()),
      () => (lines[at] = line.slice(0, column)),
      () => (lines[at] = line.slice(0, column) + stray[pick(stray.length)]! + line.slice(column)),
    ];
    ways[pick(ways.length)]!();
  }
  return lines.join("\n");
}

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { RunEvent } from "@massgen/contracts";
import { expect, it } from "vitest";
import { consentDialog, reviewDialog } from "../src/dialogs/dialog.js";
import { createStyle, frameRows, press, type ScreenState } from "../src/index.js";
import { until } from "./play.js";
import { recordedRun, watched } from "./recorded-run.js";

const README = fileURLToPath(new URL("../README.md", import.meta.url));
const style = createStyle("none");
const pressed = (state: ScreenState, ...keys: readonly string[]): ScreenState => keys.reduce((now, key) => press(now, key).state, state);

/** The pictures of the README by their names, each of a screen that a person would have before them. */
function recordings(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  const working = watched(until(events, "vote_cast"));
  const over = { ...watched(events), outcome: { answer: watched(events).view.state.finalAnswer ?? null, status: "completed" } };
  const listing = {
    is: "there",
    value: {
      files: [
        { path: "cache.ts", bytes: 212 },
        { path: "test/cache.test.ts", bytes: 1_480 },
      ],
      isCut: false,
    },
  } as const;
  const files: ScreenState = { ...pressed(over, "tab", "w"), files: { agent: "birch", listing, open: null } };
  const desk = { name: "desk", state: "ready", tools: 3, error: null } as const;
  const tools = { ...pressed(over, "m"), servers: new Map(over.view.state.order.map((id) => [id, [desk]])) };
  const changed = [
    { path: "src/cache.ts", line: "modified  src/cache.ts  +1 -1", diff: '@@ -3 +3 @@\n-const policy = "lru";\n+const policy = "arc";\n' },
    { path: "warm.sh", line: "added     warm.sh  +2 · tools run it by themselves", diff: null },
  ];
  const read = (state: ScreenState): ScreenState => ({ ...state, nowMs: state.nowMs + 1_000 });
  const asking = read({
    ...working,
    dialog: consentDialog({ agent: "birch", prompt: "execute_command: npm install lru-cache (it writes outside of the workspace)" }, 0),
  });
  const review = read({ ...over, dialog: reviewDialog(changed, "", 0) });
  const entries: readonly (readonly [name: string, state: ScreenState, columns: number, rows: number])[] = [
    ["at-work", pressed(working, "tab"), 90, 22],
    ["wide", pressed(working, "tab"), 130, 20],
    ["narrow", working, 60, 15],
    ["votes", pressed(over, "v"), 72, 16],
    ["what-changed", pressed(over, "b", "x"), 72, 14],
    ["decision", pressed(over, "d"), 72, 18],
    ["final-answer", pressed(over, "f"), 72, 16],
    ["files", files, 72, 8],
    ["tools", tools, 72, 14],
    ["consent", asking, 72, 9],
    ["review", pressed(review, "space"), 72, 10],
    ["stop", pressed(working, "q"), 72, 9],
  ];
  return new Map(
    entries.map(([name, state, columns, rows]) => {
      const frame = frameRows(state, { columns, rows }, style);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a README has no colours
      return [name, frame.map((row) => row.replaceAll(/\u001b\[[\d;]*m/g, "").trimEnd()).join("\n")];
    }),
  );
}

// Written anew with `vitest -u`, and reviewed like every other picture.
it("the pictures of the README are what the screen shows", async () => {
  const frames = recordings(await recordedRun());
  const names: string[] = [];
  const text = (await readFile(README, "utf8")).replaceAll(
    /(<!-- frame: ([\w-]+) -->\n\n````text\n)[\s\S]*?(\n````\n)/g,
    (_all, before: string, name: string, after: string) => {
      names.push(name);
      const frame = frames.get(name);
      if (frame === undefined) throw new Error(`README.md shows ${name}, of which there is no picture`);
      return `${before}${frame}${after}`;
    },
  );
  expect(names.toSorted()).toEqual([...frames.keys()].toSorted());
  await expect(text).toMatchFileSnapshot(README);
});

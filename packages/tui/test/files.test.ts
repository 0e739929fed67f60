import { describe, expect, it } from "vitest";
import { createStyle, frameRows, openTui, press, type ScreenState, type ServerState, type Tui, type WorkspaceFiles } from "../src/index.js";
import { createEmulator } from "./emulator.js";
import { type FakeTerminal, fakeTerminal } from "./fake-terminal.js";
import { folded, opened, played } from "./play.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: pictures are reviewed without colours
const COLOURS = /\u001b\[[\d;]*m/g;
const picture = (state: ScreenState, columns = 80, rows = 24): string =>
  frameRows(state, { columns, rows }, createStyle("dark"))
    .map((row) => row.replaceAll(COLOURS, "").trimEnd())
    .join("\n");
const pressed = (state: ScreenState, ...keys: readonly string[]): ScreenState => keys.reduce((now, key) => press(now, key).state, state);

/** What the terminal shows after all that was written on it. */
function shown({ written }: FakeTerminal): string {
  const seen = createEmulator(80, 24);
  for (const text of written) seen.write(text);
  return seen
    .rows()
    .map((row) => row.trimEnd())
    .join("\n");
}

interface Played {
  readonly fake: FakeTerminal;
  readonly tui: Tui;
  readonly asked: string[];
  readonly type: (...keys: readonly string[]) => Promise<void>;
}

async function playedWith(files: WorkspaceFiles | undefined, servers?: () => ScreenState["servers"]): Promise<Played> {
  const fake = fakeTerminal();
  const asked: string[] = [];
  const tui = openTui({
    terminal: fake.terminal,
    question: "Which?",
    simulated: false,
    ...(files === undefined ? {} : { files }),
    ...(servers === undefined ? {} : { servers }),
    monotonic: () => 0,
    every: () => () => {},
    onAnswerNow: () => {},
    onStop: () => asked.push("stop"),
  });
  for (const event of await played(["ada", "bob"])) tui.event(event);
  return {
    fake,
    tui,
    asked,
    type: async (...keys) => {
      for (const key of keys) {
        fake.type(key);
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      }
    },
  };
}

const FILES: WorkspaceFiles = {
  list: async (agent) =>
    agent === "bob"
      ? null
      : {
          files: [
            { path: "src/cache.ts", bytes: 1_234 },
            { path: "逻辑 notes\u001b[31m.md", bytes: 7 },
            { path: "logo.png", bytes: 2_500_000 },
          ],
          isCut: false,
        },
  read: async (_agent, path) => {
    if (path === "logo.png") return { text: null, bytes: 2_500_000, isCut: false };
    if (path === "src/cache.ts") return { text: `const size = 1;\n${"x".repeat(100)}\n\u001b[2Jend`, bytes: 1_234, isCut: true };
    throw new Error("It is no longer there.");
  },
};

describe("the files of an agent", () => {
  it("are listed with their sizes, opened, and stepped through", async () => {
    const { fake, type, tui } = await playedWith(FILES);
    await type("w");
    expect(shown(fake)).toMatch(
      /Files of ada, 3 files[\s\S]*▸ src\/cache\.ts +1\.2 kB │\n│ {3}逻辑 notes␛\[31m\.md +7 B │\n│ {3}logo\.png +2\.5 MB │/,
    );
    await type("\r");
    expect(shown(fake)).toMatch(
      /ada: src\/cache\.ts[\s\S]*const size = 1;[\s\S]*x{76}[\s\S]*␛\[2Jend[\s\S]*… and more; the file has 1\.2 kB\./,
    );
    expect(fake.written.join("")).toContain("\u001b[35mconst\u001b[0m");
    await type("l");
    expect(shown(fake)).toMatch(/It is no longer there\./);
    await type("l");
    expect(shown(fake)).toMatch(/No text, 2\.5 MB\./);
    await type("q", "k");
    expect(shown(fake)).toMatch(/▸ 逻辑/);
    await type("l");
    expect(shown(fake)).toMatch(/Files of bob[\s\S]*It works without files\./);
    await type("q");
    expect(shown(fake)).toContain("What happened");
    tui.close();
  });

  it("come when they come: what is late, or no longer looked at, disturbs nothing", async () => {
    const late: ((text: string) => void)[] = [];
    const slow: WorkspaceFiles = {
      ...FILES,
      read: (_agent, path) => new Promise((resolve) => late.push((text) => resolve({ text: `${path} ${text}`, bytes: 1, isCut: false }))),
    };
    const { fake, type, tui } = await playedWith(slow);
    await type("w", "\r");
    expect(shown(fake)).toContain("Reading …");
    await type("l");
    late[0]?.("too late");
    await type("");
    expect(shown(fake)).not.toContain("too late");
    late[1]?.("in time");
    await type("");
    expect(shown(fake)).toContain("in time");
    tui.close();
  });

  it("say why they cannot be looked at", async () => {
    const { fake, type, tui } = await playedWith({ ...FILES, list: () => Promise.reject(new Error("The disk is gone.")) });
    await type("w");
    expect(shown(fake)).toContain("The disk is gone.");
    await type("\r");
    expect(shown(fake)).toContain("The disk is gone.");
    tui.close();
    const none = await playedWith(undefined);
    await none.type("w");
    expect(shown(none.fake)).toContain("It works without files.");
    none.tui.close();
  });

  it("keep the chosen one in sight, however many there are", async () => {
    const files = Array.from({ length: 200 }, (_, index) => ({ path: `f${String(index).padStart(3, "0")}`, bytes: index }));
    const state = pressed(folded(await played(["ada"])), "w");
    const listed: ScreenState = { ...state, files: { agent: "ada", listing: { is: "there", value: { files, isCut: true } }, open: null } };
    expect(picture(listed)).toMatch(/200 or more files[\s\S]*▸ f000/);
    expect(picture(pressed(listed, "end"))).toMatch(/▸ f199/);
    expect(picture(pressed(listed, "pageDown", "pageDown", "pageDown", "down"))).toMatch(/▸ f031/);
    expect(pressed(listed, "end", "down").modal?.at).toBe(199);
    expect(pressed(listed, "up").modal?.at).toBe(0);
  });
});

describe("tools and MCP servers", () => {
  it("say what became of each server, and what each agent called", async () => {
    const servers: readonly ServerState[] = [
      { name: "desk", state: "ready", tools: 3, error: null },
      { name: "web\u001b]0;", state: "failed", tools: 0, error: "spawn: no such file" },
    ];
    const { fake, type, tui } = await playedWith(FILES, () => new Map([["ada", servers]]));
    const call = (callId: string, more: object): object => ({ agent: "ada", round: 0, callId, name: "mcp__desk__lookup", ...more });
    const facts = [
      call("1", { type: "tool_start", argsPreview: '{"q":"lamp"}' }),
      call("1", { type: "tool_complete", ok: true, durationMs: 1_200, inputChars: 3, outputChars: 4, resultPreview: "found\nit" }),
      call("2", { type: "tool_start", argsPreview: "{}" }),
      call("2", { type: "tool_complete", ok: false, durationMs: 300, inputChars: 3, outputChars: 4, resultPreview: "no" }),
      call("3", { type: "tool_start", argsPreview: "{}" }),
    ];
    facts.forEach((fact, index) => {
      tui.event({ at: 9e12, decision: 99, closes: true, ...fact, seq: 1_000 + index } as never);
    });
    await type("m");
    expect(shown(fake)).toMatch(
      /ada +│\n│ ✓ MCP server desk: ready · 3 tools +│\n│ ✗ MCP server web␛\]0;: failed +│\n│ {3}spawn: no such file +│\n│ {3}mcp__desk__lookup +2 calls · 1\.5 s · 1 failed · 1 running/,
    );
    expect(shown(fake)).toMatch(/bob +│\n│ {3}has called no tool yet/);
    await type("q");
    expect(shown(fake)).toMatch(/✓ mcp__desk__lookup 1\.2 s \{"q":"lamp"\}\n {2}→ found it/);
    await type("o");
    expect(shown(fake)).toMatch(/✓ mcp__desk__lookup 1\.2 s\n {2}· \{"q":"lamp"\}\n {2}→ found\n {4}it/);
    tui.close();
  });
});

describe("the wheel", () => {
  it("scrolls what is in sight, whatever keys are held with it; clicks do nothing", async () => {
    const { fake, type, tui } = await playedWith(FILES);
    await type("\u001b[<64;10;10M");
    expect(shown(fake)).toMatch(/↓ 3 rows below/);
    await type("\u001b[<69;10;10M", "\u001b[<0;10;10M", "\u001b[<0;10;10m");
    expect(shown(fake)).not.toMatch(/rows below/);
    tui.close();
  });
});

it("opens nothing before there are agents", () => {
  expect(press(opened(), "w")).toMatchObject({ request: null, state: { modal: null } });
});

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, openTerminal, type Terminal, type TerminalOptions, terminalMissing } from "@massgen/testing/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const missing = terminalMissing();

let folder: string;
let terminal: Terminal | null = null;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "terminal-test-")));
});
afterEach(async () => {
  await terminal?.close();
  terminal = null;
  await rm(folder, { recursive: true, force: true });
});

async function open(command: readonly string[], options: TerminalOptions = {}): Promise<Terminal> {
  terminal = await openTerminal(command, { cwd: folder, ...options });
  return terminal;
}

const node = (code: string): readonly string[] => [process.execPath, "-e", code];

// A deadline that lets `waitFor` tell what it saw first, on a busy machine too.
describe.skipIf(missing !== null)(`openTerminal${missing === null ? "" : `: skipped: ${missing}`}`, { timeout: 30_000 }, () => {
  it("gives the program a terminal of the size, folder and environment that were asked for, and nothing else of ours", async () => {
    const { waitForExit, screen } = await open(
      node("const {stdout, env} = process; console.log(stdout.isTTY, stdout.columns, stdout.rows, process.cwd(), env.GREETING, env.HOME)"),
      { columns: 100, rows: 7, env: { GREETING: "hallo wörld" } },
    );
    expect(await waitForExit()).toBe(0);
    expect(await screen()).toBe(`true 100 7 ${folder} hallo wörld undefined`);
  });

  it("types letters as they are and presses keys by name", async () => {
    const { type, press, waitFor, waitForExit } = await open([
      "sh",
      "-c",
      'printf "name? "; read -r name; echo "hello <$name>"; read -r rest; exit 3',
    ]);
    await waitFor("name?");
    await type("Enter; $HOME -l");
    await press("Enter");
    await waitFor("hello <Enter; $HOME -l>");
    await press("Enter");
    expect(await waitForExit()).toBe(3);
  });

  it("says which signal ended the program", async () => {
    const { pid, waitFor, waitForExit } = await open(node("console.log('up'); setInterval(() => {}, 1000)"));
    await waitFor("up");
    process.kill(pid, "SIGKILL");
    expect(await waitForExit()).toBe(128 + 9);
  });

  it("Ctrl-C reaches the program as it would from a keyboard", async () => {
    const { press, waitFor, waitForExit } = await open(
      node("process.on('SIGINT', () => process.exit(4)); console.log('up'); setInterval(() => {}, 1000)"),
    );
    await waitFor("up");
    await press("C-c");
    expect(await waitForExit()).toBe(4);
  });

  it("finds what has scrolled off, and what was written last", async () => {
    const { waitFor } = await open(["seq", "1", "200"], { rows: 5 });
    expect(await waitFor(/^200$/m)).toMatch(/^1\n2\n3\n/);
  });

  it("pastes several lines at once, in brackets when the program asks for them", async () => {
    const { paste, waitFor } = await open(
      node(
        "process.stdin.setRawMode(true); process.stdout.write('\\x1b[?2004h'); let got = ''; process.stdin.on('data', (d) => { got += d; if (got.endsWith('~')) console.log(JSON.stringify(got)) }); console.log('ready')",
      ),
      { columns: 100 },
    );
    await waitFor("ready");
    await paste("a\nb");
    await waitFor(String.raw`"\u001b[200~a\nb\u001b[201~"`);
  });

  it("tells the program about a new size", async () => {
    const { resize, waitFor } = await open(
      node(
        "process.stdout.on('resize', () => console.log('now', process.stdout.columns, process.stdout.rows)); console.log('ready'); setInterval(() => {}, 1000)",
      ),
    );
    await waitFor("ready");
    await resize(132, 40);
    await waitFor("now 132 40");
  });

  it("shows the screen when what was waited for does not come, and does not wait for the dead", async () => {
    const { waitFor, waitForExit } = await open(["sh", "-c", "echo something else; read -r x"]);
    await waitFor("something else");
    await expect(waitFor("the answer", { timeoutMs: 100 })).rejects.toThrow(/Waited 100 ms for "the answer" in:\nsomething else/);
    await expect(waitForExit({ timeoutMs: 100 })).rejects.toThrow(/still runs after 100 ms.*\nsomething else/);
    await terminal?.press("Enter");
    await waitForExit();
    await expect(waitFor("the answer")).rejects.toThrow(/left with 0 without showing/);
  });

  it("close ends a program that does not want to leave, and may be called twice", async () => {
    const { pid, close, waitFor } = await open(node("process.on('SIGHUP', () => {}); console.log('up'); setInterval(() => {}, 1000)"));
    await waitFor("up");
    await close();
    await close();
    expect(isAlive(pid)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { readRequest } from "../../src/args/read-request.js";

const read = (argv: readonly string[]) => readRequest(["viewer", ...argv], { stdinIsTerminal: true }).request;

describe("massgen viewer --web (docs/spec/cli.md 20)", () => {
  it.each([
    [["--web"], { log: "latest", turn: null, pick: false, port: 8000, opensBrowser: true }],
    [["--web", "--port", "0", "--no-browser", "log_x"], { log: "log_x", port: 0, opensBrowser: false }],
    [["--web", "--turn", "2"], { turn: 2 }],
    [["--web", "--pick"], { pick: true }],
  ] as const)("%j", (argv, wanted) => {
    expect(read(argv)).toMatchObject({ kind: "viewer-page", ...wanted });
  });

  it.each([
    [["--web", "-"], "does not go with lines from standard input"],
    [["--web", "--attempt", "2"], "--attempt does not go with --web"],
    [["--web", "--replay-speed", "20"], "--replay-speed does not go with --web"],
    [["--web", "--pick", "log_x"], "exclude each other"],
    [["--port", "8001"], "--port needs --web"],
    [["--no-browser"], "--no-browser needs --web"],
    [["--web", "--port", "70000"], "A port is"],
    [["--web", "--host", "0.0.0.0"], "--host"],
  ])("%j is a usage error", (argv, message) => {
    expect(() => read(argv)).toThrow(message);
  });
});

import { describe, expect, it } from "vitest";
import { readRequest } from "../../src/args/read-request.js";

const read = (argv: readonly string[]) => readRequest(argv, { stdinIsTerminal: true }).request;

describe("massgen --web", () => {
  it.each([
    [["--web"], { question: null, quickstart: false, opensBrowser: true, server: { port: 8000, host: null, web: true } }],
    [["--web", "Which cache?"], { question: "Which cache?" }],
    [["--web-quickstart", "--no-browser"], { quickstart: true, opensBrowser: false }],
    [
      ["--web", "--web-port", "0", "--web-host", "0.0.0.0", "--config", "t.yaml"],
      { server: { port: 0, host: "0.0.0.0", config: "t.yaml" } },
    ],
  ] as const)("%j", (argv, wanted) => {
    expect(read(argv)).toMatchObject({ kind: "web", ...wanted });
  });

  it.each([
    [["--web", "--automation"], "--automation does not go with --web"],
    [["--web", "--review"], "--review does not go with --web"],
    [["--web", "--web-quickstart"], "exclude each other"],
  ])("%j is a usage error", (argv, message) => {
    expect(() => read(argv)).toThrow(message);
  });

  it("is a page beside the API of massgen serve", () => {
    expect(read(["serve", "--web"])).toMatchObject({ kind: "serve", web: true });
    expect(read(["serve"])).toMatchObject({ kind: "serve", web: false });
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MassgenError } from "@massgen/contracts";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../src/index.js";

/** Answers, votes for the first, says it again: a turn each. */
const PARROT = `
export function createBackend({ model = "grey", apiKey, baseUrl, params, maxRetries, timeoutMs, ambient }) {
  const answer = JSON.stringify({ model, apiKey, baseUrl, params, maxRetries, timeoutMs, ambient: Object.keys(ambient) });
  let turns = 0;
  return {
    specVersion: 1, id: "parrot", model,
    capabilities: { loop: "host", hookDelivery: "none", input: ["text"], contextWindowTokens: null, forcedToolChoice: true,
      parallelToolCalls: true, toolsMayChangeMidConversation: true, resumableConversations: false },
    async *stream() {
      const part = [
        { type: "tool_call", callId: "c1", tool: "new_answer", input: { content: answer } },
        { type: "tool_call", callId: "c2", tool: "vote", input: { agent_id: "agent1", reason: "first" } },
      ][turns++] ?? { type: "text", text: answer };
      yield { type: "turn_start", model, warnings: [] };
      yield part.type === "text" ? { type: "text_delta", text: answer } : { ...part, executedBy: "host" };
      yield { type: "turn_end", reason: part.type === "text" ? "stop" : "tool_calls", message: { role: "assistant", parts: [part] }, usage: null };
    },
    dispose: async () => {},
  };
}`;

function folderWith(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), "massgen-module-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

const team = (type: string, more = ""): string => `
agents:
  - { id: ada, backend: { type: "${type}"${more} } }
  - { id: bob, backend: { type: "${type}"${more} } }
`;

/** What the adapter in the folder of the config was given, as the run tells it. */
async function seenBy(type: string, files: Readonly<Record<string, string | object>>, more?: string) {
  const folder = folderWith({ "team.yaml": team(type, more), ...files });
  const { status, finalAnswer } = await run("Which?", { config: join(folder, "team.yaml"), cwd: tmpdir(), env: {} });
  expect(status).toBe("completed");
  return JSON.parse(finalAnswer);
}

const packageAt = (name: string, manifest: object, source = PARROT): Record<string, string | object> => ({
  [`node_modules/${name}/package.json`]: { name, type: "module", ...manifest },
  [`node_modules/${name}/dist/index.js`]: source,
});

describe("an adapter named by its module takes part in a run", () => {
  it.for([
    ["a package, by npm:", "npm:massgen-parrot", packageAt("massgen-parrot", { exports: "./dist/index.js" })],
    ["a package with a scope", "@birds/parrot", packageAt("@birds/parrot", { exports: { ".": { default: "./dist/index.js" } } })],
    ["a package that can only be imported", "@birds/new", packageAt("@birds/new", { exports: { ".": { import: "./dist/index.js" } } })],
    [
      "one whose conditions stand at the root",
      "npm:bare",
      packageAt("bare", { exports: { types: "./x.d.ts", import: "./dist/index.js" } }),
    ],
    ["a package from before exports", "npm:old-parrot", packageAt("old-parrot", { main: "dist/index.js" })],
    ["a file", "./birds/parrot.mjs", { "birds/parrot.mjs": PARROT }],
  ] as const)("%s", async ([, type, files]) => {
    expect(await seenBy(type, files)).toMatchObject({ model: "grey", maxRetries: 3, params: {} });
  });

  it("gets model, key, address, limits and what MassGen does not use itself, and nothing else's key", async () => {
    const more =
      ", model: african, api_key: tweet-tweet-1, base_url: http://localhost:1/v1, temperature: 0.5, feathers: 9, timeout: 7, max_retries: 1";
    expect(await seenBy("./parrot.mjs", { "parrot.mjs": PARROT }, more)).toEqual({
      model: "african",
      apiKey: "tweet-tweet-1",
      baseUrl: "http://localhost:1/v1",
      params: { temperature: 0.5, feathers: 9 },
      maxRetries: 1,
      timeoutMs: 7000,
      ambient: ["fetch"],
    });
  });

  it("is looked up from the folder of the config first, then from the working directory", async () => {
    const near = folderWith({ "team.yaml": team("./parrot.mjs"), "parrot.mjs": PARROT.replace("grey", "near") });
    const cwd = folderWith({ "parrot.mjs": PARROT.replace("grey", "far") });
    const far = folderWith({ "team.yaml": team("./parrot.mjs") });
    const model = async (folder: string): Promise<unknown> =>
      JSON.parse((await run("Which?", { config: join(folder, "team.yaml"), cwd, env: {} })).finalAnswer).model;
    expect([await model(near), await model(far)]).toEqual(["near", "far"]);
  });

  it("may be named without a file", async () => {
    const cwd = folderWith({ "parrot.mjs": PARROT });
    const { finalAnswer } = await run("Which?", { backend: "./parrot.mjs", model: "african", numAgents: 2, cwd, env: {} });
    expect(JSON.parse(finalAnswer).model).toBe("african");
    expect((await run("Which?", { backend: "./parrot.mjs", cwd, env: {} })).status).toBe("completed");
  });
});

async function refusal(type: string, files: Readonly<Record<string, string | object>>, more?: string): Promise<MassgenError> {
  const folder = folderWith({ "team.yaml": team(type, more), ...files });
  const error: unknown = await run("Which?", { config: join(folder, "team.yaml"), cwd: tmpdir(), env: {} }).catch(
    (reason: unknown) => reason,
  );
  if (!MassgenError.is(error)) throw new Error(`no MassgenError but ${String(error)}`);
  return error;
}

describe("a module that is no adapter is refused before any call", () => {
  it.for([
    ["exports no createBackend", "export const create = 1;", /exports no function createBackend/, /It exports create\./],
    ["exports nothing", "", /exports no function createBackend/, /It exports nothing\./],
    ["cannot be parsed", "export function {", /could not be loaded: /, /It was read from .*a\.mjs/],
    ["throws as it loads", 'throw new Error("no wings");', /could not be loaded: no wings/, /a\.mjs/],
    [
      "throws as it makes the backend",
      'export function createBackend() { throw new Error("no seeds"); }',
      /makes no backend: no seeds/,
      /^$/,
    ],
    [
      "is of another version",
      "export const createBackend = () => ({ specVersion: 2 });",
      /speaks version 2 .* speaks 1/,
      /versions that fit/,
    ],
    [
      "makes something else",
      'export const createBackend = () => ({ specVersion: 1, id: "x", model: "m", dispose() {} });',
      /capabilities \(object\), stream \(function\) is missing/,
      /BackendAdapter/,
    ],
    ["makes nothing", "export const createBackend = () => null;", /specVersion \(number\)/, /BackendAdapter/],
    ["makes a promise", "export const createBackend = async () => { throw 1; };", /a promise, not a backend/, /must not be async/],
  ] as const)("%s", async ([, source, message, hint]) => {
    const error = await refusal("./a.mjs", { "a.mjs": source });
    expect(error).toMatchObject({ code: "UNKNOWN_BACKEND", exitCode: 1 });
    expect(error.message).toMatch(/^The backend "\.\/a\.mjs" /);
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
  });

  it("names the folders it looked in, and the command that installs it", async () => {
    const error = await refusal("npm:no-such-massgen-parrot", {});
    expect(error.message).toBe('The backend "npm:no-such-massgen-parrot" is not installed.');
    expect(error.hint).toMatch(
      /^Looked from .*massgen-module-\S+ and \S+\. If you trust it, install it there: npm install no-such-massgen-parrot$/,
    );
    expect((await refusal("npm:fs", {})).message).toContain("is not installed");
    expect((await refusal("./gone.mjs", {})).message).toBe('The backend "./gone.mjs" is no file.');
  });

  it("shows a MassgenError of the module as it is, and never the key", async () => {
    const own = `export function createBackend() {
      throw Object.assign(new Error("The parrot needs PARROT_KEY."), { [Symbol.for("massgen.error")]: true, code: "MISSING_API_KEY", hint: "Set it.", exitCode: 1 });
    }`;
    expect(await refusal("./a.mjs", { "a.mjs": own })).toMatchObject({ code: "MISSING_API_KEY", message: "The parrot needs PARROT_KEY." });
    const leaky = "export function createBackend({ apiKey }) { throw new Error('bad key ' + apiKey); }";
    expect((await refusal("./a.mjs", { "a.mjs": leaky }, ", api_key: tweet-tweet-1")).message).toContain("bad key [REDACTED]");
  });
});

import { describe, expect, it } from "vitest";
import { requireConfig, validateConfig } from "../src/index.js";

const team = (hooks: unknown, own: unknown = {}) =>
  validateConfig({
    agents: [
      { id: "ada", backend: { type: "groq", model: "m", hooks: own } },
      { id: "bob", backend: { type: "groq", model: "m" } },
    ],
    hooks,
  });
const handlersOf = (loaded: ReturnType<typeof team>, agent = 0): readonly string[] =>
  requireConfig(loaded).agents[agent]!.hooks.map(({ handler }) => handler);
const messages = (loaded: ReturnType<typeof team>): readonly string[] => loaded.issues.map(({ code, message }) => `${code} ${message}`);

describe("hooks", () => {
  it("are those of the team and then the agent's own, with defaults by their event", () => {
    const loaded = team(
      { PreToolUse: [{ handler: "./guard.ts", matcher: "write_file|mcp__github__*", timeout: 10, env_passthrough: ["TOKEN"] }] },
      { PostToolUse: { hooks: [{ handler: "python3 audit.py" }] } },
    );
    expect(loaded.issues).toEqual([]);
    expect(requireConfig(loaded).agents[0]!.hooks).toEqual([
      {
        where: "hooks.PreToolUse[0]",
        event: "PreToolUse",
        type: "module",
        handler: "./guard.ts",
        matcher: "write_file|mcp__github__*",
        timeoutSeconds: 10,
        failClosed: true,
        envPassthrough: ["TOKEN"],
      },
      {
        where: "agents[0].backend.hooks.PostToolUse.hooks[0]",
        event: "PostToolUse",
        type: "command",
        handler: "python3 audit.py",
        matcher: "*",
        timeoutSeconds: 30,
        failClosed: false,
        envPassthrough: [],
      },
    ]);
    expect(handlersOf(loaded, 1)).toEqual(["./guard.ts"]);
  });

  it("of the team give way to an agent's own where these say override, for that event and that agent", () => {
    const loaded = team(
      { PreToolUse: [{ handler: "./a.mjs" }], PostToolUse: { hooks: [{ handler: "./b.mjs" }] } },
      { PreToolUse: { override: true, hooks: [{ handler: "./c.mjs" }] } },
    );
    expect(handlersOf(loaded)).toEqual(["./c.mjs", "./b.mjs"]);
    expect(handlersOf(loaded, 1)).toEqual(["./a.mjs", "./b.mjs"]);
  });

  it.each([
    ["./a.ts", undefined, "module"],
    ["./a.mjs", "python", "module"],
    ["@acme/guard", "module", "module"],
    ["./guard.sh --strict", undefined, "command"],
    ["jq -e .tool_name", undefined, "command"],
    ["guard", "command", "command"],
  ])("%s (type %s) is a %s", (handler, type, expected) => {
    const loaded = team({ PreToolUse: [{ handler, ...(type === undefined ? {} : { type }) }] });
    expect(requireConfig(loaded).agents[0]!.hooks[0]!.type).toBe(expected);
  });

  it.each([
    [{ PreToolUse: [{ handler: "hooks/guard.py" }] }, "CFG093 the handler 'hooks/guard.py' is Python, which is not loaded here"],
    [
      { PreToolUse: [{ handler: "massgen.hooks.guard", type: "python" }] },
      "CFG093 the handler 'massgen.hooks.guard' is Python, which is not loaded here",
    ],
    [{ PreToolUse: [{ handler: "guard" }] }, "CFG093 the handler 'guard' is neither a module nor a command"],
    [{ PreToolUse: [{ matcher: "*" }] }, "CFG093 a hook needs a 'handler'"],
    [{ PreToolUse: ["./guard.mjs"] }, "CFG093 a hook must be a map with a 'handler', found the text './guard.mjs'"],
    [{ PreToolUse: { override: true } }, "CFG093 an event that is a map needs a list 'hooks'"],
    [
      { PreToolUse: [{ handler: "./a.mjs", timeout: 0 }] },
      "CFG093 'timeout' must be a positive number of seconds (at most 24 days), found the number 0",
    ],
    [{ PreToolUse: [{ handler: "./a.mjs", fail_closed: "yes" }] }, "CFG093 'fail_closed' must be true or false, found the text 'yes'"],
    [{ BeforeTool: [] }, "CFG045 unknown key 'BeforeTool'"],
  ])("%j is told", (hooks, message) => {
    expect(messages(team(hooks))).toEqual([message]);
  });

  it("are checked on an agent as on the team", () => {
    expect(messages(team({}, { PreToolUse: [{ handler: "a.py" }] }))).toEqual([
      "CFG093 the handler 'a.py' is Python, which is not loaded here",
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { requireConfig, validateConfig } from "../src/index.js";

const team = (backend: Record<string, unknown>, orchestrator: Record<string, unknown> = {}) =>
  validateConfig({ agents: [{ id: "a", backend: { type: "groq", model: "m", ...backend } }], orchestrator });
const handsOf = (backend: Record<string, unknown>) => requireConfig(team(backend)).agents[0]!.hands;
const codes = (loaded: ReturnType<typeof team>): readonly string[] => loaded.issues.map(({ code }) => code);

describe("files and commands of an agent", () => {
  it("come with a cwd, and commands when they are asked for", () => {
    expect(handsOf({})).toBeNull();
    expect(handsOf({ cwd: "ws" })).toEqual({
      cwd: "ws",
      readBeforeDelete: true,
      readBeforeOverwrite: true,
      fileTools: "full",
      commands: null,
    });
    expect(handsOf({ cwd: "ws", enable_mcp_command_line: true })?.commands).toEqual({
      docker: null,
      sandbox: "auto",
      timeoutSeconds: 120,
      maxTimeoutSeconds: 600,
      allowed: [],
      blocked: [],
      env: {},
      envPassthrough: [],
      maxBackground: 10,
      autoVenv: true,
    });
  });

  it.each([
    [{ command_line_sandbox: "off" }, { sandbox: "off" }],
    [{ command_line_execution_mode: "srt" }, { sandbox: "require" }],
    [{ command_line_allowed_commands: ["npm .*"], command_line_whitelist_patterns: ["ls"] }, { allowed: ["npm .*", "ls"] }],
    [{ command_line_blocked_commands: ["rm"], command_line_blacklist_patterns: ["dd"] }, { blocked: ["rm", "dd"] }],
    [
      { command_line_env: { A: 1, B: "x" }, command_line_env_passthrough: ["C"] },
      { env: { A: "1", B: "x" }, envPassthrough: ["C"] },
    ],
    [
      { command_line_timeout: 5, command_line_max_timeout: 9 },
      { timeoutSeconds: 5, maxTimeoutSeconds: 9 },
    ],
  ])("%j reads as %j", (keys, expected) => {
    expect(handsOf({ cwd: "ws", enable_mcp_command_line: true, ...keys })?.commands).toMatchObject(expected);
  });

  it("commands without a folder have no effect, which is told", () => {
    expect(codes(team({ enable_mcp_command_line: true }))).toEqual(["CFG120"]);
  });
});

describe("context paths", () => {
  const pathsOf = (list: unknown) => requireConfig(team({ cwd: "ws" }, { context_paths: list })).orchestrator.contextPaths;

  it.each([
    ["src", { path: "src", permission: "read", protectedPaths: [] }],
    [
      { path: "src", permission: "rw" },
      { path: "src", permission: "write", protectedPaths: [] },
    ],
    [
      { path: "src", access: "ro" },
      { path: "src", permission: "read", protectedPaths: [] },
    ],
    [
      { path: " src ", permission: "write", protected_paths: ["vendor"] },
      { path: "src", permission: "write", protectedPaths: ["vendor"] },
    ],
  ])("%j", (written, expected) => {
    expect(pathsOf([written])).toEqual([expected]);
  });

  it("named twice are one: write wins, and what either protects stays protected", () => {
    expect(
      pathsOf([
        { path: "src", permission: "write", protected_paths: ["a"] },
        { path: "src", protected_paths: ["b"] },
      ]),
    ).toEqual([{ path: "src", permission: "write", protectedPaths: ["a", "b"] }]);
  });
});

describe("context paths by their text", () => {
  const load = (...context_paths: readonly unknown[]) =>
    validateConfig({ agents: [{ id: "a", backend: { type: "groq", cwd: "w" } }], orchestrator: { context_paths } });

  it.each([
    [{ path: ".massgen/x", permission: "write" }, "error"],
    [{ path: ".massgen/x", permission: "read" }, "warning"],
    [".massgen", "warning"],
  ])("CFG102: %o is an %s", (entry, severity) => {
    expect(load(entry).issues).toMatchObject([{ code: "CFG102", severity }]);
  });

  it.each([
    ["/p", "/p/x", false],
    ["/p", "/px", true],
    ["p", "a/../b", false],
    ["p", "a/../../b", true],
    ["/p", "vendor/**", false],
  ])("CFG101: below %s, %s lies outside: %s", (path, inner, isOutside) => {
    expect(load({ path, protected_paths: [inner] }).issues.map(({ code }) => code)).toEqual(isOutside ? ["CFG101"] : []);
  });

  it("an entry without a path is left out with a warning, a number is an error", () => {
    expect(load({ permission: "read" }).issues).toMatchObject([{ code: "CFG100", severity: "warning" }]);
    expect(load(7).issues).toMatchObject([{ code: "CFG033", severity: "error" }]);
  });
});

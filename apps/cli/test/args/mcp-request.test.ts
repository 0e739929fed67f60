import { expect, it } from "vitest";
import { mcpRequest } from "../../src/args/mcp-request.js";
import type { Given } from "../../src/args/program.js";

const given: Given = new Map([["--config", ["team.yaml"]]]);
const common = { kind: "mcp", config: "team.yaml", json: false };

it.each([
  [[], { ...common, verb: "list", server: null }],
  [["tools", "desk"], { ...common, verb: "tools", server: "desk" }],
  [["doctor"], { ...common, verb: "doctor", server: null }],
  [["call", "lookup"], { ...common, verb: "call", tool: "lookup", input: {} }],
  [["call", "lookup", '{"q": "lamp"}'], { ...common, verb: "call", tool: "lookup", input: { q: "lamp" } }],
  [["login", "desk"], { ...common, verb: "login", server: "desk" }],
  [["call"], { fault: expect.stringContaining("needs the name of a tool") }],
  [["call", "lookup", "[1]"], { fault: expect.stringContaining("must be a JSON object") }],
  [["call", "lookup", "{}", "x"], { fault: 'unexpected argument "x"' }],
  [["list", "a", "b"], { fault: 'unexpected argument "b"' }],
  [["logout"], { fault: "mcp logout needs the name of a server" }],
  [["serv"], { fault: 'mcp has no "serv"; it has list, tools, call, doctor, login, logout, serve' }],
])("%j", (words, request) => {
  expect(mcpRequest(given, words)).toEqual(request);
});

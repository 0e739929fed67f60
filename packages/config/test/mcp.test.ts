// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of configs
import { describe, expect, it } from "vitest";
import { type LoadedConfig, type McpServerConfig, validateConfig } from "../src/index.js";

const load = (servers: unknown, more: object = {}, top: object = {}): LoadedConfig =>
  validateConfig(
    { agents: [{ id: "a", backend: { type: "ollama", model: "m", mcp_servers: servers, ...more } }], ...top },
    { env: { TOKEN: "made-up-token-1234" } },
  );
const serversOf = (loaded: LoadedConfig): readonly McpServerConfig[] => loaded.config?.agents[0]?.mcpServers ?? [];
const codesOf = ({ issues }: LoadedConfig): readonly string[] => issues.map(({ code, path }) => `${code} ${path}`);

const files = { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "${cwd}"] };

describe("MCP servers", () => {
  it("T5.1: list, map and one server by itself are the same", () => {
    const [list] = serversOf(load([{ name: "files", ...files }]));
    const [map] = serversOf(load({ files }));
    const [single] = serversOf(load({ name: "files", ...files }));
    expect({ ...map, where: "" }).toEqual({ ...list, where: "" });
    expect({ ...single, where: "" }).toEqual({ ...list, where: "" });
    expect(list).toMatchInlineSnapshot(`
      {
        "allowedTools": null,
        "callTimeoutSeconds": 60,
        "concurrency": 4,
        "connectTimeoutSeconds": 30,
        "destructiveTools": [],
        "excludedTools": [],
        "expectedTools": [],
        "exposesResources": false,
        "isOptional": true,
        "isPinned": false,
        "maxRetries": 3,
        "name": "files",
        "readOnlyTools": [],
        "transport": {
          "argv": [
            "npx",
            "-y",
            "@modelcontextprotocol/server-filesystem",
            "\${cwd}",
          ],
          "cwd": null,
          "env": {},
          "kind": "stdio",
        },
        "trust": "low",
        "where": "agents[0].backend.mcp_servers[0]",
      }
    `);
  });

  it("those of the top level are given to every agent, whose own of the same name win", () => {
    const loaded = load(
      [{ name: "b", command: "node", timeout: 5 }],
      {},
      { mcp_servers: { a: { command: "npx" }, b: { command: "npx" } } },
    );
    expect(serversOf(loaded).map(({ name, callTimeoutSeconds }) => [name, callTimeoutSeconds])).toEqual([
      ["b", 5],
      ["a", 60],
    ]);
  });

  it("a command is parted as by a shell, numbers are texts, variables are put in", () => {
    const [server] = serversOf(
      load([{ name: "s", command: "npx -y 'two words'", args: [8080, "x=${TOKEN}"], env: { TOKEN: "${TOKEN}" } }]),
    );
    expect(server?.transport).toMatchObject({
      argv: ["npx", "-y", "two words", "8080", "x=made-up-token-1234"],
      env: { TOKEN: "made-up-token-1234" },
    });
  });

  it("a server that is switched off is left out, with all that is missing for it", () => {
    const loaded = load([{ name: "s", command: "perl", env: { A: "${MISSING}" }, enabled: false }]);
    expect([serversOf(loaded), codesOf(loaded)]).toEqual([[], []]);
  });

  it("its own filter of allowed tools wins over that of the backend; what either excludes stays out", () => {
    const [server] = serversOf(
      load([{ name: "s", command: "npx", allowed_tools: ["a"], exclude_tools: ["b"] }], { allowed_tools: ["c"], exclude_tools: ["d"] }),
    );
    expect([server?.allowedTools, server?.excludedTools]).toEqual([["a"], ["d", "b"]]);
  });

  it("T5.2: a variable that is not set is named, and no value", () => {
    const { issues } = load({ s: { command: "npx", env: { A: "${MISSING} made-up-secret" } } });
    expect(issues).toMatchObject([{ code: "MCP009", path: "agents[0].backend.mcp_servers.s.env.A" }]);
    expect(JSON.stringify(issues)).not.toContain("made-up-secret");
  });

  it.each([
    [{ command: "npx", args: ["--url=https://x.example/?a=1&b=2", '{"a": "$(id)"}'] }, []],
    [{ command: "sh", args: ["run.sh"] }, []],
    [{ command: "sh", args: ["-c", "id"] }, ["MCP006"]],
    [{ command: "bash", args: ["-lc", "id"] }, ["MCP006"]],
    [{ command: "sh", args: ["-c", "id"], security: { level: "moderate" } }, []],
    [{ command: "git", args: [] }, ["MCP006"]],
    [{ command: "git", args: [], security: { level: "moderate" } }, []],
    [{ command: "/usr/bin/python3.12", args: [] }, []],
    [{ command: "curl", args: [], security: { level: "high" } }, ["MCP006", "MCP020"]],
    [{ command: "npx", env: { PATH: "/x" } }, ["MCP007"]],
    [{ command: "npx", env: { PATH: "/x" }, security: { env: { level: "moderate" } } }, []],
    [{ command: "npx", env: { LD_PRELOAD: "x" }, security: { env: { allowed_vars: ["LD_PRELOAD"] } } }, ["MCP007"]],
    [{ command: "npx", env: { A: "x", B: "y" }, security: { env: { mode: "allowlist", allowed_vars: ["A"] } } }, ["MCP007"]],
    [{}, ["MCP005"]],
    [{ type: "http" }, ["MCP010"]],
    [{ command: "npx", sandbox: "off" }, []],
    [{ command: "npx", sandbox: "inherit" }, ["CFG120"]],
  ])("T5.12: %j", (server, codes) => {
    expect(load([{ name: "s", ...server }]).issues.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    ["https://mcp.example.com/mcp", {}, []],
    ["http://mcp.example.com/mcp", {}, ["MCP011"]],
    ["http://mcp.example.com/mcp", { allow_insecure_http: true }, []],
    ["http://localhost:3000/mcp", {}, ["MCP011"]],
    ["http://localhost:3000/mcp", { allow_localhost: true }, []],
    ["https://2130706433/mcp", {}, ["MCP011"]],
    ["https://[::ffff:127.0.0.1]/mcp", {}, ["MCP011"]],
    ["https://[::1]/mcp", { allow_localhost: true }, []],
    ["https://10.0.0.1/mcp", {}, ["MCP011"]],
    ["https://10.0.0.1/mcp", { allow_private_ips: true }, []],
    ["https://169.254.169.254/", {}, ["MCP011"]],
    ["https://db.example.com:5432/", {}, ["MCP011"]],
    ["http://desk.internal/mcp", { allowed_hostnames: ["desk.internal"] }, []],
    ["file:///etc/passwd", {}, ["MCP010"]],
  ])("T5.13: %s with %j", (url, security, codes) => {
    expect(load([{ name: "s", url, security }]).issues.map(({ code }) => code)).toEqual(codes);
  });

  it.each(["a b", "a__b", "_a", "a_", "x".repeat(51), "help", ""])("refuses the name %j", (name) => {
    expect(codesOf(load([{ name, command: "npx" }]))).toContain("MCP002 agents[0].backend.mcp_servers[0].name");
  });

  it("names of built-in servers get another one", () => {
    expect(serversOf(load([{ name: "workspace_tools", command: "npx" }])).map(({ name }) => name)).toEqual(["workspace_tools_user"]);
  });
});

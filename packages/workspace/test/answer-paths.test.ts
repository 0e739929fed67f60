import { type AgentPaths, pathsForComparison, pathsForUser, pathsForViewer, rewritePaths } from "@massgen/workspace";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const agents: readonly AgentPaths[] = [
  { anon: "agent1", workspace: ["/home/u/p/.massgen/workspaces/ada_1", "/workspace"], view: "/v/t1" },
  { anon: "agent2", workspace: ["/home/u/p/.massgen/workspaces/bob_22"], view: "/v/t2" },
  { anon: "agent3", workspace: ["/home/u/p/.massgen/workspaces/cy_333"], view: null },
];
const [ada, bob, cy] = agents as [AgentPaths, AgentPaths, AgentPaths];
const seenBy = (viewer: AgentPaths, text: string): string =>
  rewritePaths(text, pathsForViewer(agents, viewer, new Set(["agent1", "agent2"])), { home: "/home/u" });

describe("paths in answers", () => {
  const ws = "/home/u/p/.massgen/workspaces/ada_1";
  it.each([
    ["T1.10: a file", `see ${ws}/out.md`, "see /v/t2/agent1/out.md"],
    ["T1.10: a folder whose name goes on", `${ws}0/x ${ws}.bak ${ws}-old ${ws}é`, `${ws}0/x ${ws}.bak ${ws}-old ${ws}é`],
    [
      "the folder itself, with what may follow it",
      `"${ws}" (${ws}) [${ws}], ${ws}: ${ws}. \`${ws}\``,
      '"/v/t2/agent1" (/v/t2/agent1) [/v/t2/agent1], /v/t2/agent1: /v/t2/agent1. `/v/t2/agent1`',
    ],
    ["below home", "~/p/.massgen/workspaces/ada_1/x", "/v/t2/agent1/x"],
    ["a URL", `file://${ws}/x and file://localhost${ws}/y`, "/v/t2/agent1/x and /v/t2/agent1/y"],
    ["percent-encoded", encodeURIComponent(`${ws}/x`), "/v/t2/agent1%2Fx"],
    ["in a container", "in /workspace/x, not /workspaces/x", "in /v/t2/agent1/x, not /workspaces/x"],
    ["the author's copies of peers", "/v/t1/agent2/x and /v/t1/agent1", "/v/t2/agent2/x and /v/t2/agent1"],
    ["the folder of all copies", "ls /v/t1", "ls /v/t2"],
    ["the viewer's own work", `${bob.workspace[0]}/x`, "/v/t2/agent2/x"],
    ["what the viewer cannot see", `${cy.workspace[0]}/x and /v/t1/agent3/x`, "agent3/x and agent3/x"],
    ["anything else", "/etc/hosts /home/u/p/src", "/etc/hosts /home/u/p/src"],
  ])("%s", (_, text, expected) => expect(seenBy(bob, text)).toBe(expected));

  it("without a view only agentN is left", () => expect(seenBy(cy, `${ws}/x`)).toBe("agent1/x"));

  it("the user reads where the files were delivered", () =>
    expect(rewritePaths(`${ws}/x, from ${bob.workspace[0]}/y`, pathsForUser(agents, "agent1", "/log/final/ada/workspace"))).toBe(
      "/log/final/ada/workspace/x, from agent2/y",
    ));

  it("answers that differ by their author's folders alone are equal", () => {
    const same = [`${ada.workspace[0]}/x`, `${bob.workspace[0]}/x`, "/v/t1/agent2/x", "/workspace/x"].map((text) =>
      rewritePaths(text, pathsForComparison(agents)),
    );
    expect(new Set(same)).toEqual(new Set(["/workspace/x"]));
  });

  it.each([
    ["as it is", String.raw`C:\ws\ada\x`, String.raw`D:\v\agent1\x`],
    ["with slashes", "C:/ws/ada/x", String.raw`D:\v\agent1/x`],
    ["in JSON", String.raw`"C:\\ws\\ada\\x"`, String.raw`"D:\v\agent1\\x"`],
    ["in other case", String.raw`c:\WS\Ada\x`, String.raw`D:\v\agent1\x`],
    ["as a URL", "file:///C:/ws/ada/x", String.raw`D:\v\agent1/x`],
  ])("Windows, %s", (_, text, expected) =>
    expect(rewritePaths(text, [{ from: String.raw`C:\ws\ada`, to: String.raw`D:\v\agent1` }], { ignoreCase: true })).toBe(expected),
  );

  it("no folder of an agent gets through, wherever it stands between words, and the rest of the text stays", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...agents.flatMap(({ workspace }) => workspace)), fc.lorem({ maxCount: 2 }))),
        (words) => {
          const text = words.join(" ");
          const seen = seenBy(bob, text);
          expect(seen).not.toMatch(/ada_1|bob_22|cy_333/);
          expect(seen.split(" ")).toHaveLength(text.split(" ").length);
        },
      ),
    );
  });

  it("$& and the like in a name are plain signs", () => expect(rewritePaths("/a$b/x", [{ from: "/a$b", to: "/$&" }])).toBe("/$&/x"));
});

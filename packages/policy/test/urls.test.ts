import { describe, expect, it } from "vitest";
import { addressFault, createPolicy, type UrlRules } from "../src/index.js";

async function outcome(url: string, urls: UrlRules = {}): Promise<string> {
  const policy = createPolicy({ agents: new Map([["a", { workspace: null, urls }]]), home: null });
  const verdict = await policy.decide("a", [{ kind: "network", url }]);
  return verdict.type === "deny" ? verdict.rule.replace("URL_BLOCKED:", "") : verdict.type;
}

describe("which URLs may be fetched", () => {
  it.each([
    ["https://example.org/a?b=c", "allow"],
    ["http://93.184.216.34/", "allow"],
    ["https://[2606:2800:220:1::1]/", "allow"],
    ["file:///etc/passwd", "scheme"],
    ["ftp://example.org/", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["data:text/plain,x", "scheme"],
    ["gopher://example.org/", "scheme"],
    ["https://me:secret@example.org/", "credentials"],
    ["https://example.org:22/", "port"],
    ["http://example.org:6379/", "port"],
    ["no url", "syntax"],
    ["http://localhost/", "host"],
    ["http://LOCALHOST./", "host"],
    ["http://a.localhost/", "host"],
    ["http://printer/", "host"],
    ["http://metadata.google.internal/", "host"],
    ["http://nas.local/", "host"],
    ["http://127.0.0.1/", "address"],
    ["http://127.1/", "address"],
    ["http://2130706433/", "address"],
    ["http://0x7f000001/", "address"],
    ["http://017700000001/", "address"],
    ["http://0177.0.0.1/", "address"],
    ["http://１２７.0.0.1/", "address"],
    ["http://127。0。0。1/", "address"],
    ["http://0.0.0.0/", "address"],
    ["http://10.0.0.1/", "address"],
    ["http://172.16.0.1/", "address"],
    ["http://192.168.1.1/", "address"],
    ["http://169.254.169.254/latest/meta-data", "address"],
    ["http://100.64.0.1/", "address"],
    ["http://100.100.100.200/", "address"],
    ["http://168.63.129.16/", "address"],
    ["http://224.0.0.1/", "address"],
    ["http://255.255.255.255/", "address"],
    ["http://240.0.0.1/", "address"],
    ["http://198.18.0.1/", "address"],
    ["http://192.0.2.1/", "address"],
    ["http://[::1]/", "address"],
    ["http://[::]/", "address"],
    ["http://[fe80::1]/", "address"],
    ["http://[fc00::1]/", "address"],
    ["http://[fd00:ec2::254]/", "address"],
    ["http://[ff02::1]/", "address"],
    ["http://[::ffff:127.0.0.1]/", "address"],
    ["http://[::ffff:a9fe:a9fe]/", "address"],
    ["http://[::127.0.0.1]/", "address"],
    ["http://[64:ff9b::7f00:1]/", "address"],
    ["http://[64:ff9b:1::10.0.0.1]/", "address"],
    ["http://[2002:7f00:1::]/", "address"],
    ["http://[2001:0:0:0:0:0:80ff:fffe]/", "address"],
    ["http://[::ffff:0:127.0.0.1]/", "address"],
    ["http://[fec0::1]/", "address"],
    ["http://[2001:db8::1]/", "address"],
    ["http://[100::1]/", "address"],
    ["http://[4000::1]/", "address"],
  ])("T5.13 judges %s as %s", async (url, rule) => expect(await outcome(url)).toBe(rule));

  it("T5.13 opens private networks where the configuration says so, and link-local ones never", async () => {
    const urls: UrlRules = { allowedNetworks: ["private"] };
    expect(await outcome("http://10.0.0.1/", urls)).toBe("allow");
    expect(await outcome("http://nas.local/", urls)).toBe("allow");
    expect(await outcome("http://localhost/", urls)).toBe("host");
    expect(await outcome("http://169.254.169.254/", urls)).toBe("address");
    expect(await outcome("http://metadata.google.internal/", urls)).toBe("host");
    expect(await outcome("http://localhost:8080/", { allowedNetworks: ["loopback"] })).toBe("allow");
    expect(await outcome("http://[::1]/", { allowedNetworks: ["loopback"] })).toBe("allow");
  });

  it("T5.13 T7.4 judges what a name was resolved to", () => {
    expect(addressFault("169.254.169.254", {})).toContain("linkLocal");
    expect(addressFault("fe80::1%eth0", {})).not.toBeNull();
    expect(addressFault("::ffff:10.1.2.3", {})).toContain("private");
    expect(addressFault("93.184.216.34", {})).toBeNull();
    expect(addressFault("example.org", {})).not.toBeNull();
  });

  it("keeps to the domains of the configuration", async () => {
    const urls: UrlRules = { allowedDomains: ["example.org", "*.docs.example"], blockedDomains: ["bad.docs.example"] };
    expect(await outcome("https://example.org/", urls)).toBe("allow");
    expect(await outcome("https://EXAMPLE.org./", urls)).toBe("allow");
    expect(await outcome("https://a.docs.example/", urls)).toBe("allow");
    expect(await outcome("https://docs.example/", urls)).toBe("domain");
    expect(await outcome("https://bad.docs.example/", urls)).toBe("blocked_domain");
    expect(await outcome("https://www.example.org/", urls)).toBe("domain");
    expect(await outcome("https://example.org.evil.test2.com/", urls)).toBe("domain");
    expect(await outcome("https://notexample.org/", urls)).toBe("domain");
    expect(await outcome("https://example.org@evil.com/", urls)).toBe("credentials");
  });

  it("asks before a query that could carry files away", async () => {
    expect(await outcome(`https://example.org/?q=${"a".repeat(2_001)}`)).toBe("ask");
  });

  it("gives an agent without the grant no network, and never shows a query or a password", async () => {
    const policy = createPolicy({ agents: new Map([["a", { workspace: null }]]), home: null });
    expect((await policy.decide("a", [{ kind: "network", url: "https://example.org/" }])).type).toBe("deny");
    const open = createPolicy({ agents: new Map([["a", { workspace: null, urls: {} }]]), home: null });
    const verdict = await open.decide("a", [{ kind: "network", url: "https://me:pass@example.org/?key=secret" }]);
    expect(JSON.stringify(verdict)).not.toMatch(/me:|pass@|key=/);
  });
});

describe("calls that no rule of ours holds", () => {
  it("are asked about, unless the grants say otherwise", async () => {
    const types = async (unconfined?: "allow" | "ask" | "deny"): Promise<readonly string[]> => {
      const grants = { workspace: null, ...(unconfined === undefined ? {} : { unconfined }) };
      const policy = createPolicy({ agents: new Map([["a", grants]]), home: null });
      const effects = [{ kind: "unknown" }, { kind: "external_write", what: "mcp__mail__send" }] as const;
      return Promise.all(effects.map(async (effect) => (await policy.decide("a", [effect])).type));
    };
    expect(await types()).toEqual(["ask", "ask"]);
    expect(await types("deny")).toEqual(["deny", "deny"]);
    expect(await types("allow")).toEqual(["allow", "allow"]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createRedactingStream,
  createRedactor,
  isSecretName,
  REDACTED,
  redactConfig,
  secretsInConfig,
  secretsInEnvironment,
} from "../src/index.js";

const SECRET = 'tok "quoted" \\ näh 7f3a9c1e55aa';
const redactor = createRedactor([SECRET, "hunter2-hunter2"]);
const shapes = createRedactor([]);

/** Keys of every vendor's shape, made up. Joined here, so that no scanner of repositories takes them for real ones. */
const KEYS = [
  ["sk", "-proj-abcDEF0123456789abcDEF0123456789"],
  ["sk", "-ant-api03-AAAAbbbb1111CCCC2222dddd"],
  ["sk", "-or-v1-0123456789abcdef0123456789abcdef"],
  ["AI", "zaSyA0123456789abcdefghijklmnopqrstuv"],
  ["xai", "-abcdefghijklmnopqrstuvwx0123456789"],
  ["gsk", "_abcdefghijklmnopqrstuvwx0123456789"],
  ["pplx", "-abcdefghijklmnopqrstuvwx0123456789"],
  ["csk", "-abcdefghijklmnopqrstuvwx0123456789"],
  ["hf", "_abcdefghijklmnopqrstuvwxyz01234567"],
  ["nvapi", "-abcdefghijklmnopqrstuvwx0123456789"],
  ["r8", "_abcdefghijklmnopqrstuvwx0123456789"],
  ["fw", "_abcdefghijklmnopqrstuvwx0123456789"],
  ["gh", "p_abcdefghijklmnopqrstuvwxyz0123456789"],
  ["github", "_pat_11ABCDEFG0abcdefghijklmnopqrstuvwxyz0123456789abcd"],
  ["gl", "pat-abcdefghij0123456789"],
  ["xo", "xb-1234567890-abcdefghij"],
  ["AK", "IAIOSFODNN7EXAMPLE"],
  ["npm", "_abcdefghijklmnopqrstuvwxyz0123456789"],
  ["tvly", "-abcdefghijklmnop0123"],
  ["sk", "_live_abcdefghijklmnop0123"],
  ["ya29", ".abcdefghijklmnopqrstuvwxyz0123"],
  ["ey", "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"],
].map((parts) => parts.join(""));

describe("keys by their shape", () => {
  it.each(KEYS)("%s is removed wherever it stands", (key) => {
    expect(shapes.text(`before ${key} after`)).toBe(`before ${REDACTED} after`);
    expect(shapes.text(`{"api_key":"${key}"}`)).toBe(`{"api_key":"${REDACTED}"}`);
    expect(shapes.text(`Incorrect API key provided: ${key}. You can find`)).not.toContain(key.slice(8));
  });

  it("a private key is removed whole, and also when its end is missing", () => {
    const key = `-----BEGIN RSA ${"PRIVATE"} KEY-----\nMIIEow\nabc\n-----END RSA ${"PRIVATE"} KEY-----`;
    expect(shapes.text(`a\n${key}\nb`)).toBe(`a\n${REDACTED}\nb`);
    expect(shapes.text(`a\n${key.slice(0, 50)}`)).toBe(`a\n${REDACTED}`);
  });

  it.each([
    "The task-oriented sk-learn-compatible-estimators are fine",
    "a risk-averse-and-long-hyphenated-word",
    "hf_short",
    "AKIA",
    "basic arithmetic needs 10 fingers",
    "the bearer of bad news",
    "Authorization: required",
    "curl -H 'Authorization: Bearer YOUR_ACCESS_TOKEN' -H 'x-api-key: YOUR_API_KEY'",
    "https://example.org/path?page=2&keyword=x",
    "user@example.org",
    "skeleton",
    "ghp_tooshort",
    "2026-01-02T10:15:29.880+01:00",
    "agent1.1 voted for agent2.1",
  ])("%j stays as it is", (text) => expect(shapes.text(text)).toBe(text));
});

describe("secrets by what stands before them", () => {
  it.each([
    ["Authorization: Bearer abc123def", `Authorization: Bearer ${REDACTED}`],
    ["authorization: Basic dXNlcjpwYXNz", `authorization: Basic ${REDACTED}`],
    ['"Authorization":"Bearer abc123def"', `"Authorization":"Bearer ${REDACTED}"`],
    ['\\"authorization\\": \\"Bearer abc123def\\"', `\\"authorization\\": \\"Bearer ${REDACTED}\\"`],
    ["Authorization=0123456789abcdef0", `Authorization=${REDACTED}`],
    ["x-api-key: abc123", `x-api-key: ${REDACTED}`],
    ["curl -H 'api-key: abc123def'", `curl -H 'api-key: ${REDACTED}'`],
    ["the header was Bearer 0123456789abcdefgh", `the header was Bearer ${REDACTED}`],
    ["GET /v1?api_key=abc123&page=2", `GET /v1?api_key=${REDACTED}&page=2`],
    ["https://u:pass@host/x", `https://u:${REDACTED}@host/x`],
  ])("%s", (text, safe) => expect(shapes.text(text)).toBe(safe));

  it("is the same when it is done twice", () => {
    for (const text of ["Authorization: Bearer abc123def", "?api_key=abc123", "https://u:pass@host/x", `x ${KEYS[0]} y`])
      expect(shapes.text(shapes.text(text))).toBe(shapes.text(text));
  });

  it("takes no longer than the text is long, whatever the text", () => {
    for (const unit of [
      "a-",
      "a.",
      "a:",
      "://",
      "Authorization: ",
      "sk-a",
      "?key=",
      "a",
      "@",
      "-----BEGIN PRIVATE KEY-----",
      "eyJ.",
      "bearer ",
    ]) {
      const begun = performance.now();
      shapes.text(unit.repeat(200_000 / unit.length));
      expect(performance.now() - begun).toBeLessThan(10_000);
    }
  }, 60_000);
});

describe("secrets that are known", () => {
  it.each([
    ["as it is", SECRET],
    ["in JSON", JSON.stringify({ key: SECRET })],
    ["in JSON in JSON", JSON.stringify(JSON.stringify({ key: SECRET }))],
    ["in a URL", `https://host/?x=${encodeURIComponent(SECRET)}`],
    ["in a form", `x=${encodeURIComponent(SECRET).replaceAll("%20", "+")}`],
    ["in a URL with small hex digits", encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase())],
    ["in base64", Buffer.from(SECRET).toString("base64")],
    ["with ASCII escapes", JSON.stringify(SECRET).replace("ä", "\\u00e4")],
  ])("are removed %s", (_, text) => {
    const safe = redactor.text(`before ${text} after`);
    expect(safe).toContain(REDACTED);
    expect(safe).not.toMatch(/7f3a9c1e|N2YzYTljMWU/);
  });

  it("leave JSON JSON", () => {
    const safe = redactor.text(JSON.stringify({ a: SECRET, b: ["x", SECRET], c: `the ${SECRET}` }));
    expect(JSON.parse(safe)).toEqual({ a: REDACTED, b: ["x", REDACTED], c: `the ${REDACTED}` });
  });

  it("are removed from values and keys of objects", () => {
    expect(redactor.value({ [SECRET]: [SECRET, 1, null, { deep: `x${SECRET}` }] })).toEqual({
      [REDACTED]: [REDACTED, 1, null, { deep: `x${REDACTED}` }],
    });
  });

  it("are removed from the end of a preview that was cut in the middle of one", () => {
    const key = "tok-replay-SECRET-1122334455";
    for (let length = 8; length < key.length; length++) {
      for (const ending of ["", "…", "...", '…"}', " "])
        expect(createRedactor([key]).text(`see ${key.slice(0, length)}${ending}`)).toBe(`see ${REDACTED}${ending}`);
    }
    expect(createRedactor([key]).text("see tok-re")).toBe("see tok-re");
  });

  it("are ignored when they are words: a stand-in for a key must not blank half the log", () => {
    for (const word of ["EMPTY", "none", "ollama", "password", "lm-studio", "not-needed", "1234567"])
      expect(createRedactor([word]).text(`before ${word} after`)).toBe(`before ${word} after`);
  });

  it("may contain what regular expressions mean", () => {
    expect(createRedactor(["a.b*c(d[e$f^1"]).text("x a.b*c(d[e$f^1 y axbbc(d[e$f^1")).toBe(`x ${REDACTED} y axbbc(d[e$f^1`);
  });
});

describe("texts in pieces", () => {
  const texts = [
    `say ${SECRET}, then more`,
    `say ${KEYS[0]} and ${KEYS[3]}`,
    `Authorization: Bearer ${"x7".repeat(60)} end`,
    "ordinary words, nothing to see",
    `-----BEGIN ${"PRIVATE"} KEY-----\nabc def\nghi\n-----END ${"PRIVATE"} KEY-----\nafter`,
    'a "quoted" \\ tok "quoted" but not it',
  ];

  it("lose a secret wherever the pieces are cut, and nothing else", () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(fc.nat({ max: 200 }), { maxLength: 12 }), (text, cuts) => {
        const stream = createRedactingStream(redactor);
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
        const pieces = [0, ...places].map((place, index) => text.slice(place, places[index] ?? text.length));
        const safe = pieces.map((piece) => stream.push(piece)).join("") + stream.end();
        expect(safe).toBe(redactor.piece(text));
      }),
      { numRuns: 500 },
    );
  });

  it("lose a secret that comes one character at a time", () => {
    for (const text of texts) {
      const stream = createRedactingStream(redactor);
      expect([...text].map((piece) => stream.push(piece)).join("") + stream.end()).toBe(redactor.piece(text));
    }
  });

  it("come through at once up to the last word", () => {
    const stream = createRedactingStream(redactor);
    expect(stream.push("Write-through keeps ")).toBe("Write-through keeps ");
    expect(stream.push("reads")).toBe("");
    expect(stream.push(" fast. 写穿透")).toBe("reads fast. 写穿透");
  });

  it("are not held back without end", () => {
    const stream = createRedactingStream(redactor);
    expect(stream.push("a".repeat(100_000)).length).toBeGreaterThan(90_000);
  });
});

describe("where secrets stand", () => {
  it.each([
    "OPENAI_API_KEY",
    "api_key",
    "apiKey",
    "x-api-key",
    "Authorization",
    "DESK_TOKEN",
    "HF_TOKEN",
    "client_secret",
    "password",
    "AWS_SECRET_ACCESS_KEY",
    "access-key",
    "COOKIE",
  ])("%s is a secret name", (name) => expect(isSecretName(name)).toBe(true));
  it.each([
    "max_tokens",
    "maxOutputTokens",
    "max_total_tokens",
    "token_budget",
    "keyboard",
    "monkey",
    "SSH_KEY_PATH",
    "api_key_env",
    "author",
    "tokens",
    "tokenizer",
    "reserve_for_final",
    "model",
    "PATH",
  ])("%s is not", (name) => expect(isSecretName(name)).toBe(false));

  it("takes the values of secret variables of an environment", () => {
    expect(
      secretsInEnvironment({
        OPENAI_API_KEY: "k1",
        PATH: "/bin",
        EMPTY_TOKEN: "",
        X_TOKEN: undefined,
        HOME: "/h",
        MY_PASSWORD: "p",
        PWD: "/home/ada",
        OLDPWD: "/home",
        SSH_AUTH_SOCK: "/tmp/agent.1",
      }),
    ).toEqual(["k1", "p"]);
  });

  const config = {
    agents: [
      {
        id: "solo",
        backend: {
          type: "chatcompletion",
          base_url: "http://127.0.0.1:9911/v1",
          api_key: "sk-replay-SECRET-7f3a9c1e55aa",
          max_tokens: 4096,
          mcp_servers: [
            {
              name: "desk",
              command: "node",
              args: ["desk.mjs", "--token", "tok-replay-SECRET-1122334455", "--pass=word", "--api-key=inline-SECRET-123"],
              env: { DESK_TOKEN: "tok-replay-SECRET-66778899aa" },
            },
            {
              name: "remote",
              url: "http://127.0.0.1:9911/mcp?api_key=url-replay-SECRET-00ff00ff",
              headers: { Authorization: "Bearer hdr-replay-SECRET-abcdefabcd" },
            },
            { name: "proxy", url: "https://me:p%40ss-SECRET-1@proxy/", api_key: "$FROM_ENV", pin_token: 123456789 },
          ],
        },
      },
    ],
  };

  it("finds them in a configuration: by name, behind flags, in URLs, in headers", () => {
    expect([...secretsInConfig(config)].sort()).toEqual(
      [
        "sk-replay-SECRET-7f3a9c1e55aa",
        "tok-replay-SECRET-1122334455",
        "inline-SECRET-123",
        "tok-replay-SECRET-66778899aa",
        "url-replay-SECRET-00ff00ff",
        "hdr-replay-SECRET-abcdefabcd",
        "p%40ss-SECRET-1",
        "p@ss-SECRET-1",
      ].sort(),
    );
  });

  it("a configuration is shown without them, and with everything else", () => {
    const shown = redactConfig(config) as typeof config;
    expect(JSON.stringify(shown)).not.toContain("SECRET");
    expect(JSON.stringify(shown)).not.toContain("123456789");
    expect(shown.agents[0]!.backend).toMatchObject({
      type: "chatcompletion",
      base_url: "http://127.0.0.1:9911/v1",
      api_key: REDACTED,
      max_tokens: 4096,
    });
    expect(shown.agents[0]!.backend.mcp_servers[0]!.args).toEqual([
      "desk.mjs",
      "--token",
      REDACTED,
      "--pass=word",
      `--api-key=${REDACTED}`,
    ]);
    expect(shown.agents[0]!.backend.mcp_servers[2]!.api_key).toBe("$FROM_ENV");
  });

  it("that was redacted before stays as it is", () => {
    const shown = redactConfig(config);
    expect(redactConfig(shown)).toEqual(shown);
    expect(createRedactor(secretsInConfig(shown)).text(`api_key: "${REDACTED}"`)).toBe(`api_key: "${REDACTED}"`);
  });

  it("leaves alone what is no configuration", () =>
    expect([redactConfig(null), redactConfig("x"), redactConfig(3), redactConfig(undefined)]).toEqual([null, "x", 3, undefined]));
});

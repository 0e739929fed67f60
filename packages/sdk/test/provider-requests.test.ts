import { type ApiFamily, providerOf, providers } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { openReplay, type ReplayServer, type Reply } from "@massgen/testing/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { type RunOptions, run } from "../src/index.js";

const chatReply = [
  { choices: [{ index: 0, delta: { role: "assistant", content: "Use ARC." } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
];
const responsesReply = [
  { type: "response.created", response: { id: "resp_1", status: "in_progress", output: [] } },
  { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1", role: "assistant", content: [] } },
  { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "Use ARC." },
  {
    type: "response.completed",
    response: {
      id: "resp_1",
      status: "completed",
      output: [
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "Use ARC.", annotations: [] }],
        },
      ],
    },
  },
];
const messagesReply = [
  {
    type: "message_start",
    message: { id: "msg_1", type: "message", role: "assistant", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Use ARC." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } },
  { type: "message_stop" },
];
const geminiReply = [{ candidates: [{ index: 0, content: { role: "model", parts: [{ text: "Use ARC." }] }, finishReason: "STOP" }] }];

interface Api {
  readonly events: readonly object[];
  /** What the body must hold, besides the model. */
  readonly body: object;
  /** Headers with the key, at the vendor's own address and at another. */
  readonly key: (key: string, at: "vendor" | "gateway") => Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const question = expect.stringContaining("Which cache policy?");
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const apis: Partial<Record<ApiFamily, Api>> = {
  chat_completions: {
    events: chatReply,
    body: { stream: true, stream_options: { include_usage: true }, messages: [{ role: "system", content: "Be brief." }, { role: "user" }] },
    key: bearer,
  },
  responses: {
    events: responsesReply,
    body: { stream: true, store: false, instructions: "Be brief.", input: [{ role: "user" }] },
    key: bearer,
  },
  messages: {
    events: messagesReply,
    body: { stream: true, max_tokens: expect.any(Number), system: [{ type: "text", text: "Be brief." }], messages: [{ role: "user" }] },
    // Gateways know the older header.
    key: (key, at) => ({ authorization: `Bearer ${key}`, ...(at === "vendor" ? {} : { "x-api-key": key }) }),
    headers: { "anthropic-version": "2026-10-21" },
  },
  generate_content: {
    events: geminiReply,
    body: { systemInstruction: { parts: [{ text: "Be brief." }] }, contents: [{ role: "user" }] },
    key: (key) => ({ "x-goog-api-key": key }),
  },
};

interface Row {
  readonly type: string;
  readonly name: string;
  /** Where the first request goes when the config names no address. */
  readonly address: string;
  readonly variables: readonly string[];
  /** What is sent without a key; absent: the run does not start. */
  readonly placeholder?: string;
  /** Address from the environment, for services without a common one. */
  readonly endpoint?: readonly [variable: string, value: string];
  /** Where it differs from that of the API. */
  readonly body?: object;
}

const row = (type: string, name: string, address: string, ...variables: readonly string[]): Row => ({ type, name, address, variables });
const local = (type: string, name: string, port: number, placeholder: string, ...variables: readonly string[]): Row => ({
  ...row(type, name, `http://localhost:${port}/v1/chat/completions`, ...variables),
  placeholder,
});

/** Written by hand, and not read from the catalogue, so that neither can be wrong alone. `M` stands for the model. */
const rows: readonly Row[] = [
  row("openai", "OpenAI", "https://api.openai.com/v1/responses", "OPENAI_API_KEY"),
  {
    ...row(
      "azure_openai",
      "Azure OpenAI",
      "https://team.openai.azure.com/openai/deployments/M/chat/completions?api-version=2024-12-01-preview",
    ),
    variables: ["AZURE_OPENAI_API_KEY"],
    endpoint: ["AZURE_OPENAI_ENDPOINT", "https://team.openai.azure.com"],
  },
  row("claude", "Claude", "https://api.anthropic.com/v1/messages", "ANTHROPIC_API_KEY"),
  row(
    "gemini",
    "Gemini",
    "https://generativelanguage.googleapis.com/v1beta/models/M:streamGenerateContent?alt=sse",
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
  ),
  {
    ...row("grok", "Grok", "https://api.x.ai/v1/responses", "XAI_API_KEY"),
    // xAI takes no instructions beside the input.
    body: { stream: true, store: false, input: [{ role: "system", content: "Be brief." }, { role: "user" }] },
  },
  row("chatcompletion", "ChatCompletion", "https://api.openai.com/v1/chat/completions", "OPENAI_API_KEY"),
  row("cerebras", "Cerebras AI", "https://api.cerebras.ai/v1/chat/completions", "CEREBRAS_API_KEY"),
  row("together", "Together AI", "https://api.together.xyz/v1/chat/completions", "TOGETHER_API_KEY"),
  row("fireworks", "Fireworks AI", "https://api.fireworks.ai/inference/v1/chat/completions", "FIREWORKS_API_KEY"),
  row("groq", "Groq", "https://api.groq.com/openai/v1/chat/completions", "GROQ_API_KEY"),
  row("openrouter", "OpenRouter", "https://openrouter.ai/api/v1/chat/completions", "OPENROUTER_API_KEY"),
  row("moonshot", "Kimi", "https://api.moonshot.cn/v1/chat/completions", "MOONSHOT_API_KEY", "KIMI_API_KEY"),
  row("nebius", "Nebius AI Studio", "https://api.studio.nebius.ai/v1/chat/completions", "NEBIUS_API_KEY"),
  row("poe", "POE", "https://api.poe.com/v1/chat/completions", "POE_API_KEY"),
  row("qwen", "Qwen", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions", "QWEN_API_KEY", "DASHSCOPE_API_KEY"),
  row("zai", "ZAI", "https://api.z.ai/api/paas/v4/chat/completions", "ZAI_API_KEY"),
  row("nvidia_nim", "Nvidia NIM", "https://integrate.api.nvidia.com/v1/chat/completions", "NGC_API_KEY", "NVIDIA_API_KEY"),
  {
    ...row("uitars", "UI-TARS", "https://tars.example/v1/chat/completions", "UI_TARS_API_KEY"),
    endpoint: ["UI_TARS_ENDPOINT", "https://tars.example/v1"],
  },
  local("lmstudio", "LM Studio", 1234, "lm-studio"),
  local("vllm", "vLLM", 8000, "EMPTY", "VLLM_API_KEY"),
  local("sglang", "SGLang", 30_000, "EMPTY", "SGLANG_API_KEY"),
  local("ollama", "Ollama", 11_434, "ollama"),
];
/** Its address is always the user's, so it has no row of its own in the table of defaults. */
const inference: Row = { ...row("inference", "vLLM/SGLang", "", "VLLM_API_KEY"), placeholder: "EMPTY" };
const hosted = rows.filter(({ placeholder }) => placeholder === undefined);
const UNBUILT = ["claude_code", "ag2", "codex", "gemini_cli", "antigravity_cli", "copilot"];
/** What their configs need besides. */
const NEEDED: Readonly<Record<string, object>> = {
  claude_code: { cwd: "work" },
  codex: { cwd: "work" },
  ag2: { agent_config: { name: "a" } },
};

const apiOf = ({ type }: Row): Api => apis[providerOf(type)!.api]!;

async function openVendor(api: Api): Promise<ReplayServer> {
  const named = (event: object): string => ("type" in event ? `event: ${event.type}\n` : "");
  const text = api.events.map((event) => `${named(event)}data: ${JSON.stringify(event)}\n\n`).join("");
  const reply: Reply = { text, headers: { "content-type": "text/event-stream" } };
  const server = await openReplay({ recordings: new URL(".", import.meta.url), brokenRules: () => [], refusal: () => ({}) }, [reply]);
  onTestFinished(() => server.close());
  return server;
}

/** One agent, one question. */
const ask = (backend: Readonly<Record<string, unknown>>, more: RunOptions) =>
  run("Which cache policy?", {
    config: { agents: [{ id: "solo", system_message: "Be brief.", backend: { model: "M", max_retries: 0, ...backend } }] },
    ...more,
  });

/** Sends to the loopback server what is meant for the vendor, and keeps the address it was meant for. */
function redirect(server: ReplayServer): { readonly asked: string[]; readonly fetch: typeof globalThis.fetch } {
  const asked: string[] = [];
  const redirected: typeof globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    asked.push(url.href);
    return fetch(`${server.origin}${url.pathname}${url.search}`, init);
  };
  return { asked, fetch: redirected };
}

function expectRequest(server: ReplayServer, row: Row, key: string, at: "vendor" | "gateway"): void {
  expect(server.requests).toHaveLength(1);
  const [request] = server.requests;
  const auth = row.type === "azure_openai" ? { "api-key": key } : apiOf(row).key(key, at);
  expect(request).toMatchObject({
    method: "POST",
    headers: { ...auth, ...apiOf(row).headers, "content-type": expect.stringContaining("application/json") },
  });
  // The key goes where it belongs and nowhere else.
  const carriers = Object.entries(request!.headers).filter(([, value]) => String(value).includes(key));
  expect(carriers.map(([name]) => name).toSorted()).toEqual(Object.keys(auth).toSorted());
  expect(request!.url + request!.raw).not.toContain(key);
  expect(request!.raw).toEqual(question);
  expect(request!.body).toMatchObject(row.body ?? apiOf(row).body);
  if (row.type === "gemini") expect(request!.url).toContain("/models/M:");
  else expect(request!.body.model).toBe("M");
}

describe("the catalogue of providers", () => {
  it("is what this table says, type by type", () => {
    expect(
      [...rows, inference]
        .map(({ type }) => type)
        .concat(UNBUILT)
        .toSorted(),
    ).toEqual(providers.map(({ type }) => type).toSorted());
    for (const { type, name, variables, placeholder, address, endpoint } of [...rows, inference]) {
      const entry = providerOf(type);
      expect(entry).toMatchObject({
        name,
        keyVariables: variables,
        keyNeeded: placeholder === undefined,
        placeholderKey: placeholder ?? null,
      });
      expect(entry?.endpointVariable ?? null).toBe(endpoint?.[0] ?? null);
      // Gemini's address is the business of its adapter.
      if (entry?.baseUrl != null) expect(address.startsWith(entry.baseUrl.replace(/\/$/, "")), type).toBe(true);
      else expect(["azure_openai", "gemini", "uitars", "inference"]).toContain(type);
    }
  });
});

describe("a request", () => {
  it.each(rows)("of $type goes to $address with its key and its body", async (row) => {
    const server = await openVendor(apiOf(row));
    const { asked, fetch } = redirect(server);
    const variable = row.variables.at(-1);
    const env = {
      ...(variable === undefined ? {} : { [variable]: "key-of-1234567890" }),
      ...(row.endpoint === undefined ? {} : { [row.endpoint[0]]: row.endpoint[1] }),
    };
    expect(await ask({ type: row.type }, { env, fetch })).toMatchObject({ status: "completed", finalAnswer: "Use ARC." });
    expect(asked).toEqual([row.address]);
    expectRequest(server, row, variable === undefined ? row.placeholder! : "key-of-1234567890", "vendor");
  });

  it.each([...rows, inference])("of $type goes to the base_url of its backend, with the backend's own key", async (row) => {
    const server = await openVendor(apiOf(row));
    await ask({ type: row.type, base_url: `${server.origin}/gateway`, api_key: "own-1234567890" }, { env: {} });
    const below: Partial<Record<ApiFamily, string>> = {
      chat_completions: "/gateway/chat/completions",
      responses: "/gateway/responses",
      messages: "/gateway/v1/messages",
      generate_content: "/gateway/v1beta/models/M:streamGenerateContent?alt=sse",
    };
    const azure = "/gateway/openai/deployments/M/chat/completions?api-version=2024-12-01-preview";
    expect(server.requests[0]?.url).toBe(row.type === "azure_openai" ? azure : below[providerOf(row.type)!.api]);
    expectRequest(server, row, "own-1234567890", "gateway");
  });

  it.each(rows.concat(inference).filter(({ placeholder }) => placeholder !== undefined))(
    "of $type without a key sends $placeholder",
    async (row) => {
      const server = await openVendor(apiOf(row));
      await ask({ type: row.type, base_url: `${server.origin}/v1` }, { env: {} });
      expectRequest(server, row, row.placeholder!, "gateway");
    },
  );
});

describe("before any request", () => {
  const refusal = async (backend: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = (input) => {
      asked.push(String(input));
      return Promise.reject(new Error("no request was to be made"));
    };
    const error = await ask(backend, { env, fetch }).catch((reason: unknown) => reason);
    if (!MassgenError.is(error)) throw new Error(`no MassgenError but ${String(error)}`);
    expect(asked).toEqual([]);
    return error;
  };

  it.each(hosted)("a missing key of $type is told once, with agent, variable and way out", async ({ type, name, variables, endpoint }) => {
    const error = await refusal({ type }, endpoint === undefined ? {} : { [endpoint[0]]: endpoint[1] });
    expect(error).toMatchObject({ code: "MISSING_API_KEY", exitCode: 1 });
    expect(error.message).toBe(`Agent "solo" (${name}) needs an API key: set ${variables.join(" or ")}.`);
    expect(error.hint).toContain("./.env");
  });

  it.each([
    ["azure_openai", "AZURE_OPENAI_ENDPOINT or backend.base_url"],
    ["uitars", "UI_TARS_ENDPOINT or backend.base_url"],
    ["inference", '"inference" needs a base_url'],
  ])("a missing address of %s is told with the key to set", async (type, way) => {
    const error = await refusal({ type, api_key: "own-1234567890" });
    expect(error).toMatchObject({ code: "CONFIG_INVALID", exitCode: 1, message: expect.stringContaining(way) });
    expect(error.hint).toContain("http");
  });

  it.each(UNBUILT)("%s is known and not supported yet", async (type) => {
    expect(await refusal({ type, ...NEEDED[type] })).toMatchObject({ code: "NOT_SUPPORTED", exitCode: 1 });
  });
});

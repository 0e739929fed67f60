/** Whose server answers at a host, for `chatcompletion` (docs/spec/config.md 30). A host matches when its last labels do. */
export const hosts: readonly { readonly domains: readonly string[]; readonly name: string; readonly keyVariables: readonly string[] }[] = [
  { domains: ["openai.com"], name: "OpenAI", keyVariables: ["OPENAI_API_KEY"] },
  { domains: ["cerebras.ai"], name: "Cerebras AI", keyVariables: ["CEREBRAS_API_KEY"] },
  { domains: ["together.xyz", "together.ai"], name: "Together AI", keyVariables: ["TOGETHER_API_KEY"] },
  { domains: ["fireworks.ai"], name: "Fireworks AI", keyVariables: ["FIREWORKS_API_KEY"] },
  { domains: ["groq.com"], name: "Groq", keyVariables: ["GROQ_API_KEY"] },
  { domains: ["nebius.com", "nebius.ai"], name: "Nebius AI Studio", keyVariables: ["NEBIUS_API_KEY"] },
  { domains: ["openrouter.ai"], name: "OpenRouter", keyVariables: ["OPENROUTER_API_KEY"] },
  { domains: ["z.ai", "bigmodel.cn"], name: "ZAI", keyVariables: ["ZAI_API_KEY"] },
  { domains: ["moonshot.ai", "moonshot.cn"], name: "Kimi", keyVariables: ["MOONSHOT_API_KEY", "KIMI_API_KEY"] },
  { domains: ["nvidia.com"], name: "Nvidia NIM", keyVariables: ["NGC_API_KEY", "NVIDIA_API_KEY"] },
  { domains: ["poe.com"], name: "POE", keyVariables: ["POE_API_KEY"] },
  { domains: ["aliyuncs.com"], name: "Qwen", keyVariables: ["QWEN_API_KEY", "DASHSCOPE_API_KEY"] },
  { domains: ["deepseek.com"], name: "DeepSeek", keyVariables: ["DEEPSEEK_API_KEY"] },
];

/** The host of an http(s) address in lower case, brackets of IPv6 removed; `null` when it is none. */
export function hostOf(baseUrl: string): string | null {
  if (!URL.canParse(baseUrl.trim())) return null;
  const url = new URL(baseUrl.trim());
  return url.protocol === "http:" || url.protocol === "https:" ? url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "") : null;
}

/** Loopback, `*.local`, names without a dot, and addresses the internet cannot reach: whoever serves there asks for no key of a vendor. */
export function isPrivateHost(host: string): boolean {
  if (!host.includes(".") && !host.includes(":")) return true;
  if (host.endsWith(".localhost") || host.endsWith(".local")) return true;
  const octets = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (octets !== null) {
    const [first, second] = [Number(octets[1]), Number(octets[2])];
    return (
      first === 127 ||
      first === 10 ||
      host === "0.0.0.0" ||
      (first === 192 && second === 168) ||
      (first === 172 && second >= 16 && second <= 31) ||
      (first === 169 && second === 254)
    );
  }
  if (!host.includes(":")) return false;
  return host === "::1" || host === "::" || /^f[cd]|^fe[89ab]/.test(host);
}

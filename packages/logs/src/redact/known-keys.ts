/**
 * Shapes in which vendors hand out keys, and the places where secrets stand whatever their shape. `before` stays, so that
 * the reader still sees what was removed. Shapes are long enough not to hit ordinary words.
 */
export interface KeyShape {
  readonly what: string;
  readonly pattern: RegExp;
}

export const KEY_SHAPES: readonly KeyShape[] = [
  {
    what: "OpenAI, Anthropic, DeepSeek, OpenRouter and everybody who copied them",
    pattern: /\bsk-(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9][A-Za-z0-9_-]{14,}/,
  },
  { what: "Google API key", pattern: /\bAIza[0-9A-Za-z_-]{30,}/ },
  { what: "Google OAuth", pattern: /\bya29\.[0-9A-Za-z_-]{20,}/ },
  { what: "xAI", pattern: /\bxai-[A-Za-z0-9]{20,}/ },
  { what: "Groq", pattern: /\bgsk_[A-Za-z0-9]{20,}/ },
  { what: "Perplexity", pattern: /\bpplx-[A-Za-z0-9]{20,}/ },
  { what: "Cerebras", pattern: /\bcsk-[A-Za-z0-9]{20,}/ },
  { what: "Fireworks", pattern: /\bfw_[A-Za-z0-9]{20,}/ },
  { what: "Nvidia", pattern: /\bnvapi-[A-Za-z0-9_-]{20,}/ },
  { what: "Replicate", pattern: /\br8_[A-Za-z0-9]{20,}/ },
  { what: "Together", pattern: /\btgp_v1_[A-Za-z0-9_-]{20,}/ },
  { what: "Hugging Face", pattern: /\bhf_[A-Za-z0-9]{20,}/ },
  { what: "Tavily", pattern: /\btvly-[A-Za-z0-9_-]{16,}/ },
  { what: "GitHub", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})/ },
  { what: "GitLab", pattern: /\bglpat-[A-Za-z0-9_-]{16,}/ },
  { what: "npm", pattern: /\bnpm_[A-Za-z0-9]{30,}/ },
  { what: "Slack", pattern: /\bxox[abeprs]-[A-Za-z0-9-]{10,}/ },
  { what: "Stripe", pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/ },
  { what: "AWS access key id", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { what: "JSON web token", pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/ },
  { what: "private key", pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/ },
];

/** Whether a text is worth a closer look: one pass over it instead of one for each shape and place. */
export const HINT: RegExp =
  /sk-|aiza|ya29\.|xai-|gsk_|pplx-|fw_|nvapi-|r8_|tgp_|hf_|tvly-|gh[pousr]_|github_pat|glpat-|npm_|xox|[rs]k_|akia|asia|eyj|private key|authorization|bearer|basic|api-?key|subscription-key|[?&]\w+=|:\/\//i;

/** What can stand in a token of an HTTP header, URL or query. */
export const TOKEN_CHARACTERS = "A-Za-z0-9_.~+/=:%@?&-";
/** Tokens have digits; `YOUR_ACCESS_TOKEN`, which answers about interfaces are full of, has none. */
const WITH_DIGIT = "(?=[^\\s\"']{0,256}[0-9])";
const token = (atLeast: number): string => `[${TOKEN_CHARACTERS}]{${atLeast},}`;
/** Names of headers that carry keys, as far as the word before the secret goes. */
export const KEY_HEADERS = "x-api-key|x-goog-api-key|api-key|apikey|xi-api-key|ocp-apim-subscription-key";
/** `: `, `": "`, `\\": \\"`, `=`: what stands between a name and its value in headers, JSON, JSON in JSON and shells. */
const IS = `\\\\*["']?\\s*[:=]\\s*\\\\*["']?`;

/** Secrets told by what stands before them. The first group of each is what stays. Repetitions are bounded, so that no text is slow. */
export const KEY_PLACES: readonly RegExp[] = [
  new RegExp(`(\\bauthorization${IS}basic\\s+)${token(6)}`, "i"),
  new RegExp(`(\\bauthorization${IS}(?:bearer|token|key|apikey)\\s+)${WITH_DIGIT}${token(6)}`, "i"),
  new RegExp(`(\\bauthorization${IS})${WITH_DIGIT}${token(16)}`, "i"),
  new RegExp(`(\\b(?:bearer|basic)\\s+)${WITH_DIGIT}${token(16)}`, "i"),
  new RegExp(`(\\b(?:${KEY_HEADERS})${IS})${WITH_DIGIT}${token(6)}`, "i"),
  // ?api_key=xyz
  /([?&](?:api_?key|key|token|access_token|auth|sig|signature|secret|password)=)[^&\s"'<>\\]{4,}/i,
  // https://user:password@host
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"']{0,256}:)[^\s/@"']{1,256}(?=@)/i,
];

/** What a model takes, as far as a request depends on it (docs/spec/backends.md 11.2, 11.4). */
export interface ModelTraits {
  /** Most tokens it generates in one response; `null` when unknown. */
  readonly maxOutputTokens: number | null;
  /** Takes `temperature`, `top_p` and `top_k`, under the old version of the API only. */
  readonly sampling: boolean;
  /** Decides by itself how much it thinks: `thinking: {type: "adaptive"}`. */
  readonly adaptiveThinking: boolean;
  /** Knows `output_config.effort`. */
  readonly effort: boolean;
  readonly contextWindowTokens: number | null;
}

interface Row extends ModelTraits {
  readonly upTo: number;
  /** Only models of this line; `null` for all. */
  readonly line: string | null;
}

const older = { sampling: true, adaptiveThinking: false, effort: false, contextWindowTokens: 200_000 } as const;

/** As of 2026-11-30, by version; the first row that fits counts. */
const rows: readonly Row[] = [
  { ...older, upTo: 3.4, line: null, maxOutputTokens: 4096 },
  { ...older, upTo: 3.5, line: null, maxOutputTokens: 8192 },
  { ...older, upTo: 3.9, line: null, maxOutputTokens: 64_000 },
  { ...older, upTo: 4.1, line: "opus", maxOutputTokens: 32_000 },
  { ...older, upTo: 4.5, line: "opus", maxOutputTokens: 64_000, effort: true },
  { ...older, upTo: 4.5, line: null, maxOutputTokens: 64_000 },
  { ...older, upTo: 4.6, line: "opus", maxOutputTokens: 128_000, adaptiveThinking: true, effort: true },
  { ...older, upTo: 4.6, line: null, maxOutputTokens: 64_000, adaptiveThinking: true, effort: true },
];

/** A model nobody here knows is taken for a newer one: new names must work on the day they come out. */
const newest: ModelTraits = { maxOutputTokens: null, sampling: false, adaptiveThinking: true, effort: true, contextWindowTokens: null };

export function modelTraits(model: string): ModelTraits {
  const version = versionOf(model);
  if (version === null) return newest;
  const line = /opus|sonnet|haiku/.exec(model.toLowerCase())?.[0] ?? "";
  const row = rows.find((one) => version <= one.upTo && (one.line === null || one.line === line));
  return row ?? { ...newest, contextWindowTokens: 200_000 };
}

/** `claude-3-5-haiku-latest` is 3.5, `claude-sonnet-4-20250514` is 4, `claude-opus-4-6` is 4.6. */
function versionOf(model: string): number | null {
  const match = /claude-(?:(?:opus|sonnet|haiku)-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(model.toLowerCase());
  return match === null ? null : Number(match[1]) + Number(match[2] ?? 0) / 10;
}

/**
 * The model without vendor, date and `latest`: signed thoughts go back to the model they came from and to no other.
 * @example modelFamily("anthropic/claude-sonnet-4-5-20250929") // => "claude-sonnet-4-5"
 */
export function modelFamily(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/[-@]\d{8}.*$/, "").replace(/-latest$/, "");
}

/** Days on which models are switched off. */
const endOfLife: Readonly<Record<string, string>> = {
  "claude-mythos-preview": "2026-06-30",
  "claude-sonnet-4-5": "2026-11-30",
  "claude-opus-4-5": "2027-01-22",
};

/** What to tell of a model that is being switched off; `null` for all others. */
export function endOfLifeNotice(model: string): string | null {
  const day = endOfLife[modelFamily(model)];
  return day === undefined ? null : `Anthropic switches the model "${model}" off on ${day}. Choose a newer one.`;
}

/** Tools that run at the vendor, in the versions that are asked for. */
export const serverTools = {
  webSearch: { type: "web_search_20250305", name: "web_search" },
  codeExecution: { type: "code_execution_20250825", name: "code_execution" },
  toolSearchRegex: { type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" },
  toolSearchBm25: { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
} as const;

export const betas = { codeExecution: "code-execution-2025-08-25", advancedToolUse: "advanced-tool-use-2025-11-20" } as const;

/** The version of the API under which older models take sampling parameters. */
export const VERSION_WITH_SAMPLING = "2023-06-01";

import type { ClientToolCall } from "@massgen/contracts";
import { type FinishedRun, failure } from "@massgen/sdk";
import type { RunView } from "@massgen/views";

/** How a run looks to a client of Chat Completions and Responses. */
export interface Completion {
  /** Empty when only tools of the client were called. */
  readonly text: string;
  readonly calls: readonly ClientToolCall[];
  readonly finishReason: "stop" | "tool_calls" | "length";
  readonly usage: Usage;
  readonly metadata: Metadata;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
  readonly prompt_tokens_details: { readonly cached_tokens: number };
}

/** `massgen_metadata` of a reply (docs/spec/cli.md 17.5). Paths are below the server's folder, or the names of files in it. */
interface Metadata {
  readonly session_id: string;
  readonly config_used: string;
  readonly log_directory: string | null;
  readonly final_answer_path: string | null;
  readonly selected_agent: string | null;
  readonly status: string;
  readonly vote_results: {
    readonly vote_counts: Readonly<Record<string, number>>;
    readonly winner: string | null;
    readonly is_tie: boolean;
    readonly voter_details: FinishedRun["voteResults"]["voter_details"];
    readonly agent_mapping: Readonly<Record<string, string>>;
  };
  readonly answers: readonly {
    readonly label: string;
    readonly agent_id: string;
    readonly answer_path: string | null;
    readonly content: string;
  }[];
  /** US dollars; `null` when a price is unknown. */
  readonly estimated_cost: number | null;
}

/** @throws MassgenError when the run came to no answer and no call */
export function completionOf(finished: FinishedRun, view: RunView, name: string, cwd: string): Completion {
  const calls = callsOf(view);
  const text = finished.finalAnswer ?? "";
  if (finished.finalAnswer === null && calls.length === 0) throw failure(finished);
  return {
    text,
    calls,
    finishReason: calls.length > 0 ? "tool_calls" : finished.status === "partial" ? "length" : "stop",
    usage: usageOf(view),
    metadata: metadataOf(finished, name, cwd),
  };
}

function usageOf({ state }: RunView): Usage {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = state.spent;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

const callsOf = (view: RunView): readonly ClientToolCall[] => view.clientCalls?.calls ?? [];

function metadataOf(finished: FinishedRun, name: string, cwd: string): Metadata {
  const shown = (path: string | null): string | null => (path?.startsWith(`${cwd}/`) === true ? path.slice(cwd.length + 1) : path);
  const { vote_counts, winner, is_tie, voter_details, agent_mapping } = finished.voteResults;
  return {
    session_id: `api_${finished.sessionId}`,
    config_used: name,
    log_directory: shown(finished.logDirectory),
    final_answer_path: shown(finished.finalAnswerPath),
    selected_agent: finished.winner,
    status: finished.status,
    vote_results: { vote_counts, winner, is_tie, voter_details, agent_mapping },
    answers: finished.answers.map(({ label, agentId, path, content }) => ({
      label,
      agent_id: agentId,
      answer_path: shown(path),
      content,
    })),
    estimated_cost: finished.usage.estimatedCost,
  };
}

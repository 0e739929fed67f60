import type { AgentId, AnswerLabel, Message } from "@massgen/contracts";

/** A conversation whose round is over, fit to be gone on with. */
export interface KeptConversation {
  /** It ends with its attempt. */
  readonly attempt: number;
  readonly messages: readonly Message[];
  /** Every answer that was put into it. */
  readonly shown: readonly AnswerLabel[];
  /** Number of the newest input in it. */
  readonly heard: number;
  /** What it fills of the context window, as the vendor counted its last request, or estimated. */
  readonly tokens: number;
}

/** The conversations of agents between rounds, in a run without restarts. They live in this process only. */
export interface KeptConversations {
  keep(agent: AgentId, conversation: KeptConversation): void;
  /** Hands it over: a conversation is gone on with once. */
  take(agent: AgentId): KeptConversation | null;
  /** Begins a round of the agent once its last one has let go of the conversation. */
  inTurn(agent: AgentId, round: () => Promise<void>): Promise<void>;
}

export function keepConversations(): KeptConversations {
  const kept = new Map<AgentId, KeptConversation>();
  const running = new Map<AgentId, Promise<void>>();
  return {
    keep(agent, conversation) {
      kept.set(agent, conversation);
    },
    take(agent) {
      const conversation = kept.get(agent) ?? null;
      kept.delete(agent);
      return conversation;
    },
    inTurn(agent, round) {
      const turn = (running.get(agent) ?? Promise.resolve()).then(round);
      // How a round fails is the business of whoever runs it, not of the next one.
      const end = turn.catch(() => {});
      running.set(agent, end);
      return turn;
    },
  };
}

/** Rather too many than too few: four bytes are a token in English, and one character is one in Chinese. */
export const estimateTokens = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 3);

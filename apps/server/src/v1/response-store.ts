import type { ChatMessage } from "./chat-request.js";

/** Responses that can be gone on from; older ones are forgotten, and so is everything when the server stops. */
const KEPT = 1_000;
const KEPT_CHARS = 50_000_000;

/** Conversations by the id of the response that ended them, for `previous_response_id`. */
export interface ResponseStore {
  /** `undefined`: not known, or forgotten. `owner`: the key of the client; nobody goes on with another's. */
  find(id: string, owner: string | null): readonly ChatMessage[] | undefined;
  keep(id: string, owner: string | null, messages: readonly ChatMessage[]): void;
}

export function createResponseStore(): ResponseStore {
  const kept = new Map<string, { readonly owner: string | null; readonly messages: readonly ChatMessage[]; readonly chars: number }>();
  let chars = 0;
  return {
    find(id, owner) {
      const found = kept.get(id);
      return found?.owner === owner ? found.messages : undefined;
    },
    keep(id, owner, messages) {
      const size = JSON.stringify(messages).length;
      kept.set(id, { owner, messages, chars: size });
      chars += size;
      for (const [old, entry] of kept) {
        if (kept.size <= KEPT && chars <= KEPT_CHARS) return;
        kept.delete(old);
        chars -= entry.chars;
      }
    },
  };
}

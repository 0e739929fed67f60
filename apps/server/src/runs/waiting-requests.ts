import type { Approval, HumanBroker } from "@massgen/contracts";

/** Questions of a run that wait for somebody at the API. */
export interface WaitingRequests {
  readonly broker: HumanBroker;
  /** Whether it was waiting: not once it was answered, and not after its time. */
  answer(requestId: string, reply: Approval): boolean;
}

export function createWaitingRequests(): WaitingRequests {
  const waiting = new Map<string, (reply: Approval) => void>();
  return {
    broker: {
      ask: ({ id }, signal) =>
        new Promise((resolve, reject) => {
          const withdraw = (): void => {
            waiting.delete(id);
            reject(signal.reason);
          };
          if (signal.aborted) return withdraw();
          signal.addEventListener("abort", withdraw, { once: true });
          waiting.set(id, (reply) => {
            signal.removeEventListener("abort", withdraw);
            waiting.delete(id);
            resolve(reply);
          });
        }),
    },
    answer(requestId, reply) {
      const settle = waiting.get(requestId);
      settle?.(reply);
      return settle !== undefined;
    },
  };
}

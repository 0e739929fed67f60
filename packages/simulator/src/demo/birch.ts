/** First answer of agent2: the outcome nobody knows. */
export const birchAnswer = `**The dangerous timeout is not the client's, it is ours: between us and the provider.**

When that call times out, the card may or may not have been charged. Three rules keep it harmless:

1. **Write down the intent first.** Insert the payment as \`charging\` and commit before calling the provider. A crash then leaves a trace.
2. **Give the provider a key too.** Use our payment id as its idempotency key, the same on every attempt. Repeating the call is then safe: the provider recognises it and returns the first result.
3. **Never turn a timeout into "failed".** The state becomes \`unknown\`, the client gets \`202\` and a URL to ask again. A worker takes every payment that has been \`charging\` or \`unknown\` for more than a minute and asks the provider, by our payment id, what happened. Webhooks usually say it earlier.

Only \`succeeded\` and \`failed\` are final, and only the provider's word leads there. Clients that repeat a request with the same key are shown the state of the existing payment.

*(simulated)*`;

/** Second answer of agent2, written with all three in view. It voids the votes cast before it. */
export const birchImprovement = `**One row in PostgreSQL decides, the same key goes on to the provider, and Redis only makes it pleasant.**

Two timeouts can charge twice: the client's and ours to the provider. Both need a key.

1. **Claim.** Insert \`(account_id, key)\`, unique, with a body hash and a payment in state \`charging\`; commit *before* any call. No transaction stays open across the network.
2. **Charge** with the payment id as the provider's idempotency key, the same on each attempt.
3. **Finish** in one transaction: payment state, HTTP status, response body.
4. **Repeat:** finished → the stored response; body differs → \`422\`; still running → wait up to ten seconds for the result, then \`409\` with \`Retry-After\`.
5. **Unknown:** a timeout at the provider is not a failure. Answer \`202\`; a worker asks the provider about everything that is \`charging\` for more than a minute, and finishes it by rule 3.

Redis carries the "it is finished" message to waiting repeats and caches finished responses. It may lose everything: repeats then read the row. A lock that can run out decides nothing.

Keep keys for seven days. Providers forget theirs sooner, often after a day; after that ask, never charge again.

*(simulated)*`;

/** First answer of agent1: one table, one constraint. */
export const atlasAnswer = `**Put the idempotency key into PostgreSQL, next to the payment.**

1. The client makes one UUID per purchase and sends it as \`Idempotency-Key\` with every try.
2. The API inserts the key (unique per account), a hash of the body and a payment in state \`pending\`, in one transaction. \`INSERT … ON CONFLICT DO NOTHING\` says in one round trip who came first.
3. Whoever came first charges the card, then stores status and response body together with the new state of the payment.
4. Whoever came later gets the stored response. If the first try is still running: \`409\` with \`Retry-After\`. If the key is known but the body differs: \`422\`.

Why not Redis: its replication is asynchronous, so a failover can forget the newest keys, and a forgotten key is a second charge. A unique constraint survives a crash and commits together with the payment. The price is one more indexed insert per payment, which is small beside the call to the provider.

Keep keys longer than any client keeps retrying, for instance seven days, and drop them by daily partitions.

*(simulated)*`;

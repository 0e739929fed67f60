/** First answer of agent3: fast answers for what is still in flight. */
export const cedarAnswer = `**Stop duplicates in Redis before they cost anything.**

Most repeats arrive seconds after the first try, while it is still running. So a request first does \`SET idem:{account}:{key} {body hash} NX PX 60000\`.

- **It got the key:** charge, store the response under the same name for 24 hours, and publish it on a channel.
- **Somebody else has it, same hash:** wait on that channel for up to ten seconds and return the response of the first try. The client sees a slow answer in place of an error, and stops retrying. After ten seconds: \`409\` with \`Retry-After\`.
- **Same key, other hash:** \`422\`; the client has a bug.

Two dangers have to be closed. The lock can run out while the provider is slow: extend it every 20 seconds, and let only its holder write the result. And Redis can lose a key in a failover: so the payments table keeps a unique constraint on \`(account_id, idempotency_key)\` as the last line of defence.

Redis makes it fast; the constraint makes it right.

*(simulated)*`;

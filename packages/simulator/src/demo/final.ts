/** What the winner presents: its answer made ready to use, with a table to copy and tests that prove it. */
export const finalAnswer = `**Let one row in PostgreSQL decide, pass a key on to the provider, and use Redis only for speed.**

There are two timeouts that can charge twice: between client and API, and between API and provider. Each needs a key of its own.

\`\`\`sql
CREATE TABLE payment (
  id          uuid PRIMARY KEY,           -- also the provider's idempotency key
  account_id  uuid NOT NULL,
  idem_key    text NOT NULL,
  body_hash   bytea NOT NULL,
  state       text NOT NULL DEFAULT 'charging',   -- charging | succeeded | failed
  http_status int,
  response    jsonb,
  created_at  timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, idem_key)
);
\`\`\`

**A request**
1. \`INSERT … ON CONFLICT DO NOTHING\`, then commit. Nothing is charged before this row is safe, and no transaction stays open during the call.
2. Row inserted: charge with \`id\` as the provider's key. Write state, status and response in one \`UPDATE\`.
3. Row existed: finished → send the stored response; other \`body_hash\` → \`422\`; still \`charging\` → wait up to ten seconds, then \`409\` with \`Retry-After\`.
4. The provider timed out: the outcome is unknown, not "failed". Leave the row as it is and answer \`202\`.

**A worker** asks the provider, by \`id\`, about every row that has been \`charging\` for more than a minute. If the provider knows it, the worker finishes the row; if not, it charges again with the same key. Providers often forget keys after a day: from then on it only asks and marks as failed what is unknown there.

**Redis** tells waiting repeats that a result is there. It may lose all its data without a second charge.

**Start small:** the table and steps 1–4 first, the worker before real money flows, Redis when waiting hurts.

**Prove it:** kill the process after each step, send the same request 50 times at once, let the provider time out after charging. Each time: one charge, and the same answer for every repeat.

*(Simulated: a text prepared for MassGen's demo; no model was asked.)*`;

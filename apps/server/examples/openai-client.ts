// OpenAI's own client for TypeScript, unmodified, asks a team. The README beside says how the server is started.
import OpenAI from "openai";

const { MASSGEN_URL = "http://127.0.0.1:4000", MASSGEN_KEY = "not asked for", MASSGEN_MODEL = "massgen" } = process.env;
// A team works for minutes, and one that failed as a whole is not to be paid for twice.
const openai = new OpenAI({ baseURL: `${MASSGEN_URL}/v1`, apiKey: MASSGEN_KEY, timeout: 30 * 60_000, maxRetries: 0 });
const question = { model: MASSGEN_MODEL, messages: [{ role: "user" as const, content: "Which cache policy fits a read-heavy API?" }] };

/** Who won and by whose votes: `massgen_metadata`, which OpenAI's types do not know. */
interface Metadata {
  readonly massgen_metadata: { readonly vote_results: { readonly winner: string | null } };
}

const reply = (await openai.chat.completions.create(question)) as OpenAI.ChatCompletion & Metadata;
console.log(`answer: ${reply.choices[0]?.message.content}`);
console.log(`winner: ${reply.massgen_metadata.vote_results.winner}`);

// What the team does comes as reasoning while it happens, then the final answer as it is written.
let trace = "";
let text = "";
for await (const { choices } of await openai.chat.completions.create({ ...question, stream: true })) {
  const delta: { readonly content?: string | null; readonly reasoning_content?: string } = choices[0]?.delta ?? {};
  trace += delta.reasoning_content ?? "";
  text += delta.content ?? "";
}
console.log(`trace: ${trace.split("\n").length} lines`);
console.log(`streamed: ${text}`);

const first = await openai.responses.create({ model: MASSGEN_MODEL, input: "Which cache policy fits a read-heavy API?" });
const second = await openai.responses.create({ model: MASSGEN_MODEL, input: "And for writes?", previous_response_id: first.id });
console.log(`goes on: ${second.output_text}`);

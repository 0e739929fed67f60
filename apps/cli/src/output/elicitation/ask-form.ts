import type { Elicit } from "@massgen/sdk";
import { visibleLine } from "../visible-text.js";
import { type Field, fieldOf, plain, type Value } from "./field.js";

type Question = Parameters<Elicit>[0];
type Answer = Awaited<ReturnType<Elicit>>;

/** A line below the run, and a line that is typed; `null` when none comes. */
export interface Lines {
  readonly say: (text: string) => void;
  readonly ask: (prompt: string) => Promise<string | null>;
}

const DECLINES = "!";

/** Puts a question of a server's to the person, field by field. Nothing is sent before all of it was typed and looked at. */
export async function askForm({ server, message, asks }: Question, { say, ask }: Lines): Promise<Answer> {
  say(`The MCP server ${JSON.stringify(server)} asks you, not the agents: ${visibleLine(message)}`);
  if (asks.kind === "url") return await askAddress(asks.url, { say, ask });
  const fields = Object.entries(asks.fields).map(([name, field]) => fieldOf(name, field, asks.required.includes(name)));
  say(`It gets what you type. ${DECLINES} declines.`);
  const content: Record<string, Value> = {};
  for (const field of fields) {
    const typed = await askField(field, { say, ask });
    if (typed === "cancel" || typed === "decline") return { action: typed };
    if (typed.value !== undefined) content[field.name] = typed.value;
  }
  const told = Object.entries(content).map(([name, value]) => `${name} = ${plain(value)}`);
  const answer = await ask(`Send ${told.length === 0 ? "an empty answer" : visibleLine(told.join(", "))}? [y]es, [n]o: `);
  if (answer === null) return { action: "cancel" };
  return /^y(?:es)?$/i.test(answer.trim()) ? { action: "accept", content } : { action: "decline" };
}

async function askField(field: Field, { say, ask }: Lines): Promise<{ readonly value: Value | undefined } | "decline" | "cancel"> {
  for (;;) {
    const line = (await ask(`  ${visibleLine(field.label)} (${visibleLine(field.hint)}): `))?.trim();
    if (line === undefined) return "cancel";
    if (line === DECLINES) return "decline";
    if (line === "" && (field.byDefault !== undefined || !field.isRequired)) return { value: field.byDefault };
    const reading = line === "" ? ({ ok: false, why: "something: it is needed" } as const) : field.read(line);
    if (reading.ok) return { value: reading.value };
    say(`  It takes ${visibleLine(reading.why)}.`);
  }
}

/** Nothing is opened for the person: they see where it leads, and go there themselves. */
async function askAddress(url: string, { say, ask }: Lines): Promise<Answer> {
  say(`It wants you to open an address of ${new URL(url).host}: ${visibleLine(url)}`);
  const answer = await ask("Open it yourself if you trust it. Done? [y]es, [n]o: ");
  if (answer === null) return { action: "cancel" };
  return { action: /^y(?:es)?$/i.test(answer.trim()) ? "accept" : "decline" };
}

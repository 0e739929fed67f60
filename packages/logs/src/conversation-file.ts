import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const CONVERSATION = "conversation.json";

/** What was said before the question of a run; empty when nothing was, or it cannot be read. `folder`: that of its log. */
export async function readConversation(folder: string): Promise<readonly { readonly role: "user" | "assistant"; readonly text: string }[]> {
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, CONVERSATION), "utf8"));
    if (!Array.isArray(read)) return [];
    return read.filter((one) => (one?.role === "user" || one?.role === "assistant") && typeof one.text === "string");
  } catch {
    return [];
  }
}

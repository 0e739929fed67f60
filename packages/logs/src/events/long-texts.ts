import type { JsonValue, Recorded } from "@massgen/contracts";
import type { StepFolders } from "../files/step-folders.js";
import type { PersistedEvent, PersistedLine } from "./persisted-event.js";

/** A text that stands in a file of its own, and the key of `context` it was taken from. */
export interface LongText {
  readonly key: "content" | "partial";
  /** Below the log folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Where a reference to a text stands in `context`, by the key it replaces. */
const REFERENCE = { content: "path", partial: "partial_path" } as const;

/** The texts of a record that do not go into its line. Empty texts stay where they are. */
export function longTextsOf(record: Recorded, folders: StepFolders): readonly LongText[] {
  if (record.type === "answer_submitted") {
    const folder = folders.stepFolder(record.agent, record.seq, record.at);
    return kept([{ key: "content", path: `${folder}/answer.txt`, text: record.content }]);
  }
  if (record.type !== "presentation_finished") return [];
  const folder = `final/${folders.agentFolder(record.agent)}`;
  return kept([
    { key: "content", path: `${folder}/answer.txt`, text: record.content },
    { key: "partial", path: `${folder}/presentation_partial.txt`, text: record.partial },
  ]);
}

const kept = (texts: readonly LongText[]): readonly LongText[] => texts.filter(({ text }) => text !== "");

/** The event with references in the place of the texts. */
export function withReferences<T extends PersistedEvent>(event: T, texts: readonly LongText[]): T {
  if (texts.length === 0) return event;
  const context: Record<string, JsonValue> = { ...event.context };
  for (const { key, path } of texts) {
    delete context[key];
    context[REFERENCE[key]] = path;
  }
  return { ...event, context };
}

/** The line with its texts back in it. `read` gets a path below the log folder. */
export async function withTexts(line: PersistedLine, read: (path: string) => Promise<string>): Promise<PersistedLine> {
  const found = Object.entries(REFERENCE).flatMap(([key, reference]) => {
    const path = line.context[reference];
    return typeof path === "string" && line.context[key] === undefined ? [{ key, path }] : [];
  });
  if (found.length === 0) return line;
  const texts = await Promise.all(found.map(async ({ key, path }) => [key, await read(path)] as const));
  return { ...line, context: { ...line.context, ...Object.fromEntries(texts) } };
}

export const mayHaveTexts = (line: PersistedLine): boolean => line.event_type === "new_answer" || line.event_type === "final_answer";

import { createStyle, openPrompt } from "@massgen/tui";
import type { EditorLook, LineReader } from "../io.js";
import { listFolder } from "./list-folder.js";

/** Texts from an editor of several lines, with completion of commands and paths. The prompt of each read is the editor itself. */
export function openPromptReader(history: readonly string[], signal: AbortSignal, { theme, cwd }: EditorLook): LineReader {
  const prompt = openPrompt({ style: createStyle(theme), history, signal, list: (folder) => listFolder(folder, cwd) });
  return {
    async read() {
      const typed = await prompt.read();
      return typed.is === "text" ? { is: "line", text: typed.text } : typed;
    },
    remember: prompt.remember,
    close: prompt.close,
  };
}

import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { createStyle, type FolderEntry, openPrompt } from "@massgen/tui";
import type { EditorLook, LineReader } from "../io.js";

/** Texts from an editor of several lines, with completion of commands and paths. The prompt of each read is the editor itself. */
export function openPromptReader(history: readonly string[], signal: AbortSignal, { theme, cwd }: EditorLook): LineReader {
  const prompt = openPrompt({ style: createStyle(theme), history, signal, list: (folder) => entriesOf(folder, cwd) });
  return {
    async read() {
      const typed = await prompt.read();
      return typed.is === "text" ? { is: "line", text: typed.text } : typed;
    },
    remember: prompt.remember,
    close: prompt.close,
  };
}

async function entriesOf(folder: string, cwd: string): Promise<readonly FolderEntry[]> {
  const path = folder.startsWith("~/") ? join(homedir(), folder.slice(2)) : resolve(cwd, folder);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []); // nothing to offer
  return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

import { spawn } from "node:child_process";

/** Opens a file in the editor that `VISUAL` or `EDITOR` names and waits until it is closed; `false` without one that works. */
export async function editFile(file: string): Promise<boolean> {
  const editor = process.env["VISUAL"]?.trim() || process.env["EDITOR"]?.trim();
  if (!editor) return false;
  const [command = "", ...args] = editor.split(/\s+/);
  const { personalEnvironment } = await import("@massgen/exec");
  return new Promise((resolve) => {
    const child = spawn(command, [...args, file], { stdio: "inherit", env: personalEnvironment(process.env) });
    child.on("error", () => resolve(false));
    child.on("close", () => resolve(true));
  });
}

import { existsSync } from "node:fs";
import type { Io } from "../io.js";
import type { Prompts } from "./prompts.js";
import { absolutePath, PROJECT_CONFIG, saveTeam, shownPath } from "./save-team.js";

/** Saves a team where a person wants it; a file that is there is replaced only when they say so. Gives the path that was written. */
export async function placeTeam(prompts: Prompts, wished: string, textFor: (path: string) => string, io: Io): Promise<string> {
  let path = absolutePath(wished, io);
  let existing: "keep" | "backup" = "keep";
  for (;;) {
    if (existing === "keep" && existsSync(path)) {
      const shown = shownPath(path, io.cwd);
      const what = await prompts.select<"other" | "replace">(`${shown} is there already.`, [
        { value: "other", label: "write another file" },
        { value: "replace", label: "replace it", hint: `the old one stays as ${shown}.bak` },
      ]);
      if (what === "replace") existing = "backup";
      else path = absolutePath(await askPath(prompts), io);
      continue;
    }
    // Somebody else may have written it meanwhile; then the question is asked.
    if (await saveTeam(path, textFor(path), existing)) break;
  }
  const shown = shownPath(path, io.cwd);
  prompts.wrote(shown);
  prompts.say("done", shown === PROJECT_CONFIG ? `${shown} is written. massgen finds it in this folder.` : `${shown} is written.`);
  return path;
}

export const askPath = (prompts: Prompts): Promise<string> =>
  prompts.text("Which file?", {
    initial: "team.yaml",
    refuse: (name) => (/\.(?:ya?ml)$/.test(name.trim()) ? undefined : "It ends with .yaml."),
  });

/** The question to run with now; `null`: later. */
export async function askQuestion(prompts: Prompts, given: string | null): Promise<string | null> {
  if (given !== null) {
    const run = await prompts.select<"now" | "later">("Ask it now?", [
      { value: "now", label: "yes", hint: given },
      { value: "later", label: "later" },
    ]);
    return run === "now" ? given : null;
  }
  const question = await prompts.text("Ask the team something now?", { placeholder: "your question, or Enter for later" });
  return question.trim() === "" ? null : question.trim();
}

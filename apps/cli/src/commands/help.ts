import { findCommand } from "../args/commands.js";
import { helpText } from "../args/program.js";
import { findTopic } from "../help/topics.js";
import type { Io } from "../io.js";

/** The front file answers most requests for help itself; this is for those among other flags. */
export function showHelp(topic: string | null, { out }: Pick<Io, "out">): void {
  out.write(helpText(findCommand(topic ?? undefined)?.name ?? null));
}

/** `massgen help config` and the like. */
export function showTopic(name: string, { out }: Pick<Io, "out">): void {
  out.write(findTopic(name)?.text ?? "");
}

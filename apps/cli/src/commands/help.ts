import { findCommand } from "../args/commands.js";
import { helpText } from "../args/program.js";
import type { Io } from "../io.js";

/** The front file answers most requests for help itself; this is for those among other flags. */
export function showHelp(topic: string | null, { out }: Pick<Io, "out">): void {
  out.write(helpText(findCommand(topic ?? undefined)?.name ?? null));
}

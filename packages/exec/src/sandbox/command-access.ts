import type { SandboxFinding } from "./find-sandbox.js";
import type { Sandbox } from "./sandbox.js";
import { createUnsandboxed } from "./unsandboxed.js";

/** `command_line_sandbox`. */
export type SandboxSetting = "auto" | "require" | "off";

/** Whether agents may run commands here, and behind what. */
export type CommandAccess =
  | { readonly is: "granted"; build(home: string): Sandbox; readonly warning: string | null }
  /** A person may be asked once whether to go on without walls; `granted` is then what a yes means. */
  | { readonly is: "to_be_asked"; readonly reason: string; readonly remedy: string; readonly ifYes: CommandAccess }
  /** `isFatal`: the config requires a sandbox, so the run does not start; else it starts without command tools. */
  | { readonly is: "refused"; readonly isFatal: boolean; readonly reason: string; readonly remedy: string };

const OFF_WARNING = "Commands run WITHOUT a sandbox (command_line_sandbox: off): an agent can read, change and send whatever you can.";

/** Nobody loses the walls without having written or said so (docs/spec/tools.md 4.7). */
export function judgeCommandAccess(setting: SandboxSetting, finding: SandboxFinding, options: { readonly mayAsk: boolean }): CommandAccess {
  const unconfined: CommandAccess = { is: "granted", build: () => createUnsandboxed(), warning: OFF_WARNING };
  if (setting === "off") return unconfined;
  if (finding.found) return { is: "granted", build: finding.build, warning: null };
  const { reason, remedy } = finding;
  if (setting === "require") return { is: "refused", isFatal: true, reason, remedy };
  if (options.mayAsk) return { is: "to_be_asked", reason, remedy, ifYes: unconfined };
  return { is: "refused", isFatal: false, reason, remedy };
}

import type { Flag } from "./flag.js";

const section = "Logs";
const flag = (name: Flag["name"], value: Flag["value"], help: string, commands: readonly string[], more: Partial<Flag> = {}): Flag => ({
  name,
  value,
  section,
  status: "built",
  help,
  commands,
  ...more,
});
const text = (name: string): Flag["value"] => ({ name, kind: "text" });
const whole = (name: string): Flag["value"] => ({ name, kind: "positive-integer" });

/** Flags of the commands that look at logs. Names that other commands use in another sense stand in tables of their own. */
export const recordFlags: readonly Flag[] = [
  flag("--log-dir", text("log-folder"), "the log; default: the newest one here", ["logs"]),
  flag("--limit", whole("count"), "rows at most (list 10, grep 50)", ["logs"]),
  flag("--sort", { name: "by", kind: { choices: ["time", "calls"] } }, "order of logs tools (default time)", ["logs"]),
  flag("--turn", whole("number"), "with analyze: the turn", ["logs"], { alias: "-t" }),
  flag("--mode", { name: "mode", kind: { choices: ["prompt"] } }, "with analyze: print a prompt", ["logs"]),
  flag("--json", null, "one JSON object on stdout", ["logs"]),
];

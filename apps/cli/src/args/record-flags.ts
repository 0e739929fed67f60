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

const known = { status: "known" } as const;

/** Flags of the commands that look at logs. Names that other commands use in another sense stand in tables of their own. */
export const recordFlags: readonly Flag[] = [
  flag("--log-dir", text("log-folder"), "the log; default: the newest one here", ["logs"]),
  flag("--limit", whole("count"), "rows at most (list 10, grep 50)", ["logs"]),
  flag("--sort", { name: "by", kind: { choices: ["time", "calls"] } }, "order of logs tools (default time)", ["logs"]),
  flag("--turn", whole("number"), "with analyze: the turn", ["logs"], { alias: "-t" }),
  flag("--turn", whole("number"), "the turn of a conversation (default: the newest)", ["viewer"], { section: "Viewer" }),
  flag("--attempt", whole("number"), "go quickly to this attempt and end with it", ["viewer"], { section: "Viewer" }),
  flag("--replay-speed", text("factor"), "times as fast as it happened; 0: at once", ["viewer"], { section: "Viewer" }),
  flag("--pick", null, "choose the log from a list", ["viewer"], { section: "Viewer" }),
  flag("--mode", { name: "mode", kind: { choices: ["prompt"] } }, "with analyze: print a prompt", ["logs"]),
  flag("--analyzed", null, "only runs with a report", ["logs"], known),
  flag("--unanalyzed", null, "only runs without a report", ["logs"], known),
  flag("--force", null, "analyze again", ["logs"], known),
  flag("--ui", text("kind"), "screen of an analysis", ["logs"], known),
  flag("--config", text("path"), "team of an analysis", ["logs"], known),
  flag("--web", null, "the page of recorded runs in a browser, opened on this one", ["viewer"], { section: "Viewer" }),
  flag("--port", { name: "port", kind: "port" }, "port of --web (default 8000; 0: a free one)", ["viewer"], { section: "Viewer" }),
  flag("--no-browser", null, "only print the address", ["viewer"], { section: "Viewer" }),
  flag("--json", null, "one JSON object on stdout", ["logs", "export", "shares", "clean"]),

  flag("--older-than", text("time"), "not used for so long: 12h, 30d (default), 8w", ["clean"], { section: "Clean" }),
  flag("--max-size", text("size"), "the oldest go until the rest takes no more: 500MB, 2GB", ["clean"], { section: "Clean" }),
  flag("--dry-run", null, "only show what would be removed", ["clean"], { section: "Clean" }),
  flag("--yes", null, "do not ask", ["clean"], { alias: "-y", section: "Clean" }),

  flag("--output", text("path"), "where to: a page (.html, the default), a .zip, or else a folder", ["export"], { section: "Export" }),
  flag("--gist", null, "a secret gist instead, through gh, after showing what goes there and asking", ["export"], { section: "Export" }),
  flag("--turns", text("which"), "all (default), latest, N or N-M", ["export"], { alias: "-t", section: "Export" }),
  flag("--no-workspace", null, "without the files that were delivered", ["export"], { section: "Export" }),
  flag("--workspace-limit", text("size"), "delivered files of a turn at most (default 500KB)", ["export"], { section: "Export" }),
  flag("--dry-run", null, "only show what would be exported", ["export"], { section: "Export" }),
  flag("--yes", null, "do not ask before uploading; replace an existing file", ["export"], { alias: "-y", section: "Export" }),
  flag("--verbose", null, "every file, and what stays behind", ["export"], { alias: "-v", section: "Export" }),
];

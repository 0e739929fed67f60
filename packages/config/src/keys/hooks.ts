import { built, closed, type KeyTable } from "../key-table.js";
import { bool, list, listOrMap, map, oneOf, seconds, text, texts } from "../shapes.js";

/** One hook (docs/spec/config.md 18). `python` is a word of older files: what it may name is checked with the handler. */
export const hookKeys = {
  handler: built(text),
  type: built(oneOf(["module", "command", "python"])),
  matcher: built(text),
  timeout: built(seconds),
  fail_closed: built(bool),
  env_passthrough: built(texts),
};

export const hookTable: KeyTable = closed("CFG045", "CFG093", hookKeys);

/** The form of an event that says whether an agent's hooks come after those of the team or in their place. */
export const eventKeys = {
  override: built(bool),
  hooks: built(list, { each: () => hookTable }),
};

export const hookEventTable: KeyTable = closed("CFG045", "CFG093", eventKeys);
const events = { keys: () => hookEventTable, each: () => hookTable };

/** Hooks of the whole team, or of one agent. */
export const hooksTable: KeyTable = closed("CFG045", "CFG093", {
  PreToolUse: built(listOrMap, events),
  PostToolUse: built(listOrMap, events),
});

export const hooksKey = built(map, { code: "CFG093", keys: () => hooksTable });

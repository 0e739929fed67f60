// Refuses texts that hold what looks like a key.
const KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:sk|ghp|xoxb)[-_][A-Za-z0-9_-]{16,}/;

export const PreToolUse = ({ tool_input }) =>
  KEY.test(JSON.stringify(tool_input)) ? { decision: "deny", reason: "the text holds a key; write a placeholder instead" } : undefined;

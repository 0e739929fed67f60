/** Names no tool may have, as the model sees them: with these agents answer and vote (docs/spec/coordination.md EC81). */
const WORKFLOW_NAMES: readonly string[] = ["new_answer", "vote", "stop", "submit", "restart_orchestration"];

const RULE = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** What is wrong with the name of a custom tool, as one sentence; `null` when it is good. */
export function nameProblem(name: string): string | null {
  if (WORKFLOW_NAMES.includes(name))
    return `A custom tool is called "${name}", which is the name of the tool agents ${name === "vote" ? "vote" : "work"} with. Give it another name.`;
  if (!RULE.test(name))
    return `${JSON.stringify(name)} cannot be the name of a tool: it must begin with a letter or _ and have at most 64 letters, digits, _ and -.`;
  return null;
}

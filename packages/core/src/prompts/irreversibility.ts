export interface IrreversibilityView {
  readonly question: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/** Purpose: whether the task needs what cannot be undone, and by which tools; the reply is read by a program. */
export function irreversibility({ question, tools }: IrreversibilityView): string {
  const list = tools.map(({ name, description }) => `- ${name}: ${description.split("\n", 1)[0] ?? ""}`).join("\n");
  return `Several agents are about to work on the message below at the same time. Decide whether it asks for something irreversible: an effect outside the agents' own files that cannot be taken back or that must not happen several times. Sending messages or mail, posting, paying, ordering, deleting or changing data of others, and deploying are irreversible; reading, searching and computing are not. Do not work on the message.

<original_message>
${question}
</original_message>

${tools.length === 0 ? "The agents have no tools that reach outside." : `Tools that reach outside:\n${list}`}

Reply with one JSON object and nothing else:
{"irreversible": true or false, "blocked_tools": ["names from the list of the tools that could cause such an effect"]}`;
}

/** Names of servers that the Python MassGen brings itself; one of the user's gets `_user` behind it. */
const TAKEN = /^(?:filesystem|workspace_tools|command_line|planning|memory|subagents|massgen_.*)$/;
const LEGAL = /^[A-Za-z0-9_-]+$/;
const LONGEST = 50;
/** Words that would read as an order. */
const ORDERS: ReadonlySet<string> = new Set(
  "connect disconnect list help version status health ping debug admin system config settings auth login logout exit quit".split(" "),
);

export const isTaken = (name: string): boolean => TAKEN.test(name);

/** What is wrong with the name of a server; `null` for one that can be part of the names of its tools. */
export function nameFault(name: string): string | null {
  if (!LEGAL.test(name)) return "may hold letters, digits, '-' and '_' only";
  if (name.length > LONGEST) return `has ${name.length} characters; at most ${LONGEST} fit into the names of its tools`;
  if (name.includes("__") || name.startsWith("_") || name.endsWith("_"))
    return "must neither begin nor end with '_' nor hold '__', which parts the names of tools";
  return ORDERS.has(name) ? "is a reserved word" : null;
}

/**
 * The fenced blocks of a Markdown text with exactly this word after the fence (`ts`, but not `ts no-check`), each with the
 * line of its first line of code. Blocks inside a longer fence are text.
 *
 * @param {string} markdown @param {string} info
 * @returns {{ readonly line: number, readonly code: string }[]}
 */
export function findFences(markdown, info) {
  /** @type {{ line: number, code: string }[]} */ const found = [];
  /** @type {{ mark: string, info: string, line: number, code: string[] } | null} */ let open = null;
  for (const [index, text] of markdown.split("\n").entries()) {
    const fence = /^\s*(`{3,}|~{3,})\s*(.*)$/.exec(text);
    if (open === null && fence !== null) open = { mark: fence[1] ?? "", info: (fence[2] ?? "").trim(), line: index + 2, code: [] };
    else if (open !== null && fence?.[1]?.startsWith(open.mark) && fence[2] === "") {
      if (open.info === info) found.push({ line: open.line, code: open.code.join("\n") });
      open = null;
    } else open?.code.push(text);
  }
  return found;
}

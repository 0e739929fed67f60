const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * A Markdown text in pieces that can be read each on its own: cut at blank lines before a line that is not indented, never
 * inside of a fence. Joined they are the text again.
 */
export function splitBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let fence: string | null = null;
  let wasBlank = false;
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    const line = text.slice(at, next);
    const isBlank = line.trim() === "";
    if (fence === null && wasBlank && !isBlank && !/^\s/.test(line) && at > from) {
      blocks.push(text.slice(from, at));
      from = at;
    }
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark) fence = null;
    }
    wasBlank = isBlank;
    at = next;
  }
  if (from < text.length) blocks.push(text.slice(from));
  return blocks;
}

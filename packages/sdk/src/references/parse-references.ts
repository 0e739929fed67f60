/** A file or folder that a text names with `@`. */
export interface Reference {
  readonly is: "reference";
  /** As it stands in the text, `@` and `:w` included. */
  readonly written: string;
  readonly path: string;
  readonly access: "read" | "write";
  /** Looks like a mention, a decorator or a rule of CSS as well: text, unless there is such a file. */
  readonly maybeText: boolean;
}

export type TextPiece = { readonly is: "text"; readonly text: string } | Reference;

/**
 * The references of a text and what is between them; escapes are resolved. Nothing is looked up. A reference begins with an
 * `@` that stands at the start or after a character that no mail address has there; it ends as docs/spec/cli.md 13 says. In a
 * fenced block of code there are none.
 */
export function parseReferences(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let plain = "";
  let at = 0;
  const keep = (length: number): void => {
    plain += text.slice(at, at + length);
    at += length;
  };
  while (at < text.length) {
    const fence = at === 0 || text[at - 1] === "\n" ? fenceAt(text, at) : 0;
    if (fence > 0) {
      keep(fence);
    } else if (text.startsWith("\\@", at)) {
      plain += "@";
      at += 2;
    } else if (text[at] !== "@" || (at > 0 && WITHIN_ADDRESS.test(before(text, at)))) {
      keep(1);
    } else {
      const found = referenceAt(text, at);
      if (found === null) keep(1);
      else {
        if (plain !== "") pieces.push({ is: "text", text: plain });
        plain = "";
        pieces.push(found);
        at += found.written.length;
      }
    }
  }
  if (plain !== "") pieces.push({ is: "text", text: plain });
  return pieces;
}

const WITHIN_ADDRESS = /[\p{L}\p{N}._%+@-]$/u;
/** The character before, whole. */
const before = (text: string, at: number): string => text.slice(Math.max(0, at - 2), at);

const QUOTED = /@"([^"\n]+)"(:w(?![\p{L}\p{N}_]))?/uy;
/** No path is longer than the systems allow. */
const BARE = /@([^\s,;!?)}\]>:"`@，；！？）」』】：。、][^\s,;!?)}\]>:"`，；！？）」』】：。、]{0,4095})(:w(?![\p{L}\p{N}_]))?/uy;
/** What is in code far more often than in the name of a file. */
const CODE = /[('={<|*$&#^\\]/;

function referenceAt(text: string, at: number): Reference | null {
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(text);
  if (quoted !== null) return reference(quoted[0], quoted[1]!, quoted[2], false);
  BARE.lastIndex = at;
  const bare = BARE.exec(text);
  if (bare === null) return null;
  const path = withoutFullStop(bare[1]!);
  if (path === "") return null;
  const maybeText = !/[/.~]/.test(path) || CODE.test(path);
  // A full stop that is cut off takes what stands behind it with it.
  return path === bare[1] ? reference(bare[0], path, bare[2], maybeText) : reference(`@${path}`, path, undefined, maybeText);
}

const reference = (written: string, path: string, suffix: string | undefined, maybeText: boolean): Reference => ({
  is: "reference",
  written,
  path,
  access: suffix === undefined ? "read" : "write",
  maybeText,
});

/** Dots at the end belong to the sentence, unless they are the folder itself or the one above. Apostrophes never belong. */
function withoutFullStop(path: string): string {
  const bare = path.replace(/['’]+$/, "");
  const last = bare.slice(bare.lastIndexOf("/") + 1);
  return last === "." || last === ".." ? bare : bare.replace(/\.+$/, "");
}

/** Length of the fenced block that begins here; 0 when none does. One that is not closed goes to the end. */
function fenceAt(text: string, at: number): number {
  const open = /^ {0,3}(`{3,}|~{3,})/.exec(text.slice(at, at + 80));
  if (open === null) return 0;
  const close = new RegExp(`\\n {0,3}${open[1]![0]}{${open[1]!.length},}[ \\t]*(?=\\n|$)`, "g");
  close.lastIndex = at + open[0].length;
  const end = close.exec(text);
  return (end === null ? text.length : end.index + end[0].length) - at;
}

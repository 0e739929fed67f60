/** Text as every vendor accepts it: halves of surrogate pairs become �, NUL characters go. Everything else stays. */
export function sendableText(text: string): string {
  return isSendable(text) ? text : text.replace(/\p{Surrogate}/gu, "\ufffd").replaceAll("\0", "");
}

/** Nearly every text is. Looking by the engine's own means costs nothing where text is plain; runtimes without them look slowly. */
function isSendable(text: string & { isWellFormed?(): boolean }): boolean {
  return !text.includes("\0") && (text.isWellFormed?.() ?? !/\p{Surrogate}/u.test(text));
}

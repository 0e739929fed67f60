/** Text as every vendor accepts it: halves of surrogate pairs become �, NUL characters go. Everything else stays. */
export function sendableText(text: string): string {
  return isSendable(text) ? text : text.replace(/\p{Surrogate}/gu, "\ufffd").replaceAll("\0", "");
}

/** Nearly every text is; looking is three times cheaper than replacing nothing. */
function isSendable(text: string): boolean {
  return !/\p{Surrogate}|\0/u.test(text);
}

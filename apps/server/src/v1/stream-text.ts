/**
 * What is left to send so that a client has the whole final answer, after it was sent what the presenter wrote. As a rule
 * nothing: they are the same. When the presentation broke off and another text became final, that text follows as a whole.
 */
export function restOfAnswer(sent: string, final: string): string {
  const shown = sent.trim();
  const whole = final.trim();
  if (whole === "" || shown.endsWith(whole)) return "";
  if (whole.startsWith(shown)) return whole.slice(shown.length);
  return `\n\n${whole}`;
}

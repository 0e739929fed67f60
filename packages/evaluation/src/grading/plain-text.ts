/**
 * What an answer says once emphasis, code marks, links and the simplest LaTeX are gone. Line breaks stay.
 *
 * @example plainText("**Answer:** $\\boxed{1{,}024}$") // => "Answer: 1,024"
 */
export function plainText(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll("\r\n", "\n")
    .replaceAll(/\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}/g, "$1/$2")
    .replaceAll(/\\(?:text|mathrm|mathbf|textbf|operatorname)\{([^{}]*)\}/g, "$1")
    .replaceAll("{,}", ",")
    .replaceAll(/\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}/g, "$1")
    .replaceAll(/\\times|\\cdot/g, "×")
    .replaceAll(/\\approx/g, "≈")
    .replaceAll(/\\[,;! ]/g, " ")
    .replaceAll(/\\([$%()[\]])/g, (_, mark: string) => ("$%".includes(mark) ? mark : ""))
    .replaceAll(/\*\*|__|`/g, "")
    .replaceAll(/\$(?=\D|$)|(?<=\S)\$(?!\s*[-\d.])/g, "");
}

const BOXED = /\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}/g;
/** "Answer: …", "**Final answer** = …", "The answer is: …". Looked for line by line, so that no text takes long. */
const MARK = /^[\s>#*_-]{0,20}(?:the\s)?(?:final\s|correct\s)?answer(?:\sis)?\s?[:：=](.*)$/i;

/**
 * What an answer itself calls its answer: what stands behind the last "Answer:" at the beginning of a line, on that line or the
 * next that is not empty, else in the last `\boxed{}`; `null` when it calls nothing so.
 */
export function markedAnswer(text: string): string | null {
  const lines = plainText(text).split("\n");
  const at = lines.findLastIndex((line) => MARK.test(line));
  if (at >= 0) {
    const said = [MARK.exec(lines[at] ?? "")?.[1] ?? "", ...lines.slice(at + 1)].find((line) => line.trim() !== "");
    if (said !== undefined) return said.trim();
  }
  const boxed = [...text.matchAll(BOXED)].at(-1)?.[1];
  return boxed === undefined ? null : plainText(boxed).trim();
}

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of configs
/** A parser's complaint in words that say what to do. */
export interface Explanation {
  readonly message: string;
  readonly hint: string;
}

type Explain = (line: string) => Explanation;

const explanations: { readonly [code: string]: Explain } = {
  TAB_AS_INDENT: () => ({ message: "a tab cannot be used for indentation", hint: "Indent with spaces." }),
  BLOCK_AS_IMPLICIT_KEY: (line) => ({ message: "a value with ': ' in it is read as another key", hint: quoteAdvice(line) }),
  MULTILINE_IMPLICIT_KEY: () => ({
    message: "a key must stand on one line and be followed by ': '",
    hint: "Is a space missing after a colon?",
  }),
  BAD_DQ_ESCAPE: () => ({
    message: "a backslash in double quotes starts an escape, and this one is unknown",
    hint: "Use single quotes for Windows paths and patterns: 'C:\\work'.",
  }),
  BAD_SCALAR_START: () => ({ message: "a value cannot start with this character unless it is quoted", hint: "Put the value in quotes." }),
  BAD_INDENT: () => ({
    message: "the indentation does not fit",
    hint: "Items of one map or list start in the same column; an open [ or { needs its closing bracket.",
  }),
  MISSING_CHAR: () => ({
    message: "something is not closed",
    hint: "Look for a missing quote, bracket, comma or colon before this place.",
  }),
};

const bareVariable: Explanation = {
  message: "a variable inside { } or [ ] needs quotes",
  hint: 'Write it as "${NAME}".',
};

/** `code` and `message` as the `yaml` package gives them; `offset` is where it stumbled. */
export function explainYamlError(code: string, message: string, text: string, offset: number): Explanation {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end === -1 ? undefined : end);
  // Between { and } or [ and ], the bracket of a variable opens a map.
  if (code === "UNEXPECTED_TOKEN" && text.startsWith("${", offset - 1)) return bareVariable;
  const explanation = explanations[code]?.(line);
  if (explanation !== undefined) return explanation;
  return { message: `this is not valid YAML: ${lowerFirst(message)}`, hint: "" };
}

/** Names the key whose value wants quotes, but does not repeat the value: it may be a secret. */
function quoteAdvice(line: string): string {
  const key = /^[\s-]*([\w.-]+)\s*:/.exec(line)?.[1];
  return key === undefined ? "Put the value in quotes." : `Put the value in quotes: ${key}: "…"`;
}

const lowerFirst = (sentence: string): string => {
  // Some messages repeat the text they stumbled over, which may be a key.
  const safe = sentence.replace(/:\s*".*$/s, "").slice(0, 120);
  return safe.charAt(0).toLowerCase() + safe.slice(1);
};

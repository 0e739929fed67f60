import { type CodeRole, codeSpans, languageOfPath } from "@massgen/views";
import { useMemo } from "react";

const CLASSES: Readonly<Record<CodeRole, string | undefined>> = {
  plain: undefined,
  comment: "faint",
  literal: "good",
  keyword: "accent",
  added: "good",
  removed: "bad",
  place: "accent",
};

/** The text of a file, coloured as the language that its name says. */
export function Code({ text, path }: { readonly text: string; readonly path: string }) {
  const spans = useMemo(() => codeSpans(text, languageOfPath(path)), [text, path]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <pre tabIndex={0}>
      <code>
        {spans.map(({ role, text: part }, index) =>
          role === "plain" ? (
            part
          ) : (
            <span key={index} className={CLASSES[role]}>
              {part}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}

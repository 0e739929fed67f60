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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <pre tabIndex={0}>
      <CodeText text={text} language={languageOfPath(path)} />
    </pre>
  );
}

/** Code in the colours of a language, by the name people write behind a fence. One nobody knows has none. */
export function CodeText({ text, language }: { readonly text: string; readonly language: string | undefined }) {
  const spans = useMemo(() => codeSpans(text, language), [text, language]);
  return (
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
  );
}

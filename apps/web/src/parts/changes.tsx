import { useEffect, useState } from "react";
import { useKept } from "../app/kept.js";
import type { Hunk, Words } from "../text/compare.js";
import { useText } from "../text/texts.js";

interface Compared {
  readonly hunks: readonly Hunk[] | null;
  readonly words: readonly Words[] | null;
}

/** What changed from one text to another, by lines or by words; what came and what went have a sign besides their colour. */
export function Changes({ before, after }: { readonly before: string; readonly after: string }) {
  const t = useText();
  const [by, setBy] = useKept("changes", WAYS, "lines");
  const [compared, setCompared] = useState<Compared | null>(null);
  useEffect(() => {
    let isWanted = true;
    // The library that compares is loaded with the first comparison.
    void import("../text/compare.js").then(({ compare, compareWords }) => {
      if (!isWanted) return;
      setCompared(by === "lines" ? { hunks: compare(before, after), words: null } : { hunks: null, words: compareWords(before, after) });
    });
    return () => {
      isWanted = false;
    };
  }, [before, after, by]);
  return (
    <div className="changes">
      {before === after ? null : (
        <div className="actions">
          {WAYS.map((way) => (
            <button key={way} type="button" aria-pressed={way === by} onClick={() => setBy(way)}>
              {t(`changes.${way}`)}
            </button>
          ))}
        </div>
      )}
      {before === after ? <p className="faint">{t("changes.none")}</p> : <Comparison compared={compared} />}
    </div>
  );
}

const WAYS = ["lines", "words"] as const;

function Comparison({ compared }: { readonly compared: Compared | null }) {
  const t = useText();
  if (compared === null) return <p className="loading">{t("loading")}</p>;
  const { hunks, words } = compared;
  if (words !== null) return <WordRows words={words} />;
  if (hunks === null) return <p className="faint">{t("changes.tooMany")}</p>;
  if (hunks.length === 0) return <p className="faint">{t("changes.none")}</p>;
  return hunks.map(({ line, rows }) => (
    <section key={line} aria-label={t("changes.line", { line })}>
      <p className="faint">{t("changes.line", { line })}</p>
      <DiffRows rows={rows} />
    </section>
  ));
}

/** The whole text; what came is underlined, what went is struck through. */
function WordRows({ words }: { readonly words: readonly Words[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <pre className="diff" tabIndex={0}>
      {words.map(({ is, text }, index) =>
        is === "added" ? (
          <ins key={index} className="good">
            {text}
          </ins>
        ) : is === "removed" ? (
          <del key={index} className="bad">
            {text}
          </del>
        ) : (
          text
        ),
      )}
    </pre>
  );
}

/** Lines of a unified diff, each with the sign it begins with. */
export function DiffRows({ rows }: { readonly rows: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <pre className="diff" tabIndex={0}>
      {rows.map((row, index) => (
        <span key={`${index} ${row}`} className={ROWS[row.slice(0, 1)] ?? ""}>
          {row}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

const ROWS: Readonly<Record<string, string>> = { "+": "good", "-": "bad", "@": "accent" };

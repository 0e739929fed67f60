import { useEffect, useState } from "react";
import type { Hunk } from "../text/compare.js";
import { useText } from "../text/texts.js";

/** What changed from one text to another; what came and what went have a sign besides their colour. */
export function Changes({ before, after }: { readonly before: string; readonly after: string }) {
  const t = useText();
  const [hunks, setHunks] = useState<readonly Hunk[] | null | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    // The library that compares is loaded with the first comparison.
    void import("../text/compare.js").then(({ compare }) => {
      if (isWanted) setHunks(compare(before, after));
    });
    return () => {
      isWanted = false;
    };
  }, [before, after]);
  if (hunks === undefined) return <p className="loading">{t("loading")}</p>;
  if (hunks === null) return <p className="faint">{t("changes.tooMany")}</p>;
  if (hunks.length === 0) return <p className="faint">{t("changes.none")}</p>;
  return (
    <div className="changes">
      {hunks.map(({ line, rows }) => (
        <section key={line} aria-label={t("changes.line", { line })}>
          <p className="faint">{t("changes.line", { line })}</p>
          <DiffRows rows={rows} />
        </section>
      ))}
    </div>
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

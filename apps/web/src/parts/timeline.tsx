import { formatDuration, type Moment } from "@massgen/views";
import { useState } from "react";
import { useText } from "../text/texts.js";

/** Rows that are drawn at first; more when asked for. */
const ROWS = 500;

/** What happened, one fact a row, newest first. */
export function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  const t = useText();
  const [rows, setRows] = useState(ROWS);
  if (moments.length === 0) return <p className="faint">{t("timeline.empty")}</p>;
  const shown = moments.slice(-rows).toReversed();
  return (
    <>
      <ol className="timeline" reversed>
        {shown.map(({ seq, elapsedMs, text, tone }) => (
          <li key={seq} className={tone}>
            <time>{formatDuration(elapsedMs)}</time> <span dir="auto">{text}</span>
          </li>
        ))}
      </ol>
      {rows < moments.length ? (
        <button type="button" onClick={() => setRows(rows + ROWS)}>
          {t("timeline.more", { count: moments.length - rows })}
        </button>
      ) : null}
    </>
  );
}

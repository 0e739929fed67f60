import { type Stream as AgentStream, formatDuration, type Piece } from "@massgen/views";
import { memo, useEffect, useRef } from "react";
import { useText } from "../text/texts.js";
import { Markdown } from "./markdown.js";

/** How close to its end a stream must be scrolled to follow it. */
const FOLLOW_PX = 40;

/** What one agent says and does, newest last; follows its end unless somebody has scrolled up. */
export function Stream({ stream, name }: { readonly stream: AgentStream | undefined; readonly name: string }) {
  const t = useText();
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [stream]);
  return (
    <div
      ref={box}
      className="stream"
      role="log"
      aria-label={t("stream.of", { name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < FOLLOW_PX;
      }}
    >
      {stream === undefined ? <p className="faint">{t("stream.nothing")}</p> : null}
      {stream?.pieces.map((piece, index) => (
        <PieceOf key={index} piece={piece} />
      ))}
      {stream?.open == null ? null : <PieceOf piece={stream.open} />}
    </div>
  );
}

const PieceOf = memo(function PieceOf({ piece }: { readonly piece: Piece }) {
  const t = useText();
  switch (piece.kind) {
    case "text":
      return <Markdown text={piece.text} />;
    case "reasoning":
      return (
        <details className="reasoning">
          <summary>{t("stream.reasoning")}</summary>
          <p dir="auto">{piece.text}</p>
        </details>
      );
    case "mark":
      return <p className="mark">{piece.text}</p>;
    case "tool":
      return <ToolCall piece={piece} />;
  }
});

function ToolCall({ piece: { name, args, result } }: { readonly piece: Extract<Piece, { kind: "tool" }> }) {
  const t = useText();
  const state = result === null ? t("tool.running") : `${result.ok ? "✓" : `✗ ${t("tool.failed")}`} ${formatDuration(result.durationMs)}`;
  return (
    <details className="tool">
      <summary>
        <code>{name}</code> <span className={result?.ok === false ? "bad" : "faint"}>{state}</span>
      </summary>
      <pre className="text">{args}</pre>
      {result === null ? null : <pre className="text">{result.preview}</pre>}
    </details>
  );
}

import { useLayoutEffect, useRef, useState } from "react";
import { useText } from "../../text/texts.js";

/** Longer texts are not drawn: whoever draws them takes the square of their length. */
const MOST_CHARACTERS = 50_000;
const MOST_HEIGHT_PX = 4_000;

/** A Mermaid text as a picture, drawn in a frame that has no origin and no network. Says what is wrong with a text that is none. */
export function Diagram({ text }: { readonly text: string }) {
  const t = useText();
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isLong = text.length > MOST_CHARACTERS;
  // Before the frame can speak: an effect after painting may come too late on a machine that is busy.
  useLayoutEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>): void => {
      if (source === null || source !== frame.current?.contentWindow) return;
      if (data === "ready") frame.current.contentWindow?.postMessage({ diagram: text, dark: isDark() }, "*");
      if (typeof data !== "object" || data === null) return;
      if ("height" in data && typeof data.height === "number") setHeight(Math.min(MOST_HEIGHT_PX, Math.max(40, data.height)));
      if ("problem" in data && typeof data.problem === "string") setProblem(data.problem);
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, [text]);
  if (isLong) return <p className="faint">{t("diagram.long", { count: MOST_CHARACTERS })}</p>;
  if (problem !== null)
    return (
      <p className="bad" role="status">
        {t("diagram.bad")} <span dir="auto">{problem}</span>
      </p>
    );
  return (
    <iframe
      ref={frame}
      className="diagram"
      title={t("diagram")}
      sandbox="allow-scripts"
      src="./preview/diagram.html"
      referrerPolicy="no-referrer"
      style={height === null ? undefined : { height }}
    />
  );
}

/** As the page is shown, whatever the system wants. */
const isDark = (): boolean => {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme === "dark" || (colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
};

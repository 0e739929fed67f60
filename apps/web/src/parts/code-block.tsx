import { lazy, Suspense, useState } from "react";
import { useText } from "../text/texts.js";
import { CodeText } from "./files/code.js";
import { Loading } from "./loading.js";

const Diagram = lazy(async () => ({ default: (await import("./files/diagram.js")).Diagram }));

/** A block of code as its language is coloured. A Mermaid text is drawn when somebody asks for it. */
export function CodeBlock({ text, lang }: { readonly text: string; readonly lang: string | undefined }) {
  const t = useText();
  const [isDrawn, setIsDrawn] = useState(false);
  const name = lang?.trim().split(/\s/, 1)[0]?.slice(0, 40) ?? "";
  return (
    <>
      {name.toLowerCase() === "mermaid" ? (
        <div className="actions">
          <button type="button" aria-pressed={isDrawn} onClick={() => setIsDrawn(!isDrawn)}>
            {t("diagram.draw")}
          </button>
        </div>
      ) : null}
      {isDrawn ? (
        <Suspense fallback={<Loading />}>
          <Diagram key={text} text={text} />
        </Suspense>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre tabIndex={0}>
          {name === "" ? null : <span className="lang">{name}</span>}
          <CodeText text={text} language={name} />
        </pre>
      )}
    </>
  );
}

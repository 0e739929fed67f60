import { acceptedAttempt, type RunView } from "@massgen/views";
import { useState } from "react";
import { useText } from "../text/texts.js";
import { Decision } from "./decision.js";
import { Markdown } from "./markdown.js";

/** The result and, one step away, why it is the result. */
export function FinalAnswer({ view }: { readonly view: RunView }) {
  const t = useText();
  const text = acceptedAttempt(view).state.finalAnswer ?? view.state.finalAnswer;
  const [isCopied, setIsCopied] = useState(false);
  if (text === null) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <section className="final card" aria-labelledby="final-title">
      <header>
        <h2 id="final-title">{t("final")}</h2>
        <button type="button" className="quiet" onClick={() => void copy()}>
          {isCopied ? t("copied") : t("copy")}
        </button>
      </header>
      <Markdown text={text} />
      <details>
        <summary>{t("decision")}</summary>
        <Decision view={view} />
      </details>
    </section>
  );
}

import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useReadOnly } from "../server/server.js";
import { useText } from "../text/texts.js";

const KEYS = [
  ["?", "keys.help"],
  ["n", "keys.ask"],
  ["r", "keys.runs"],
  ["1 … 9", "keys.tabs"],
  ["Esc", "keys.close"],
] as const;

/** Keys that work on every page, and the list of them. Never while somebody is typing. */
export function Shortcuts() {
  const t = useText();
  const [, go] = useLocation();
  const readOnly = useReadOnly();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "?") dialog.current?.showModal();
      else if (event.key === "n" && !readOnly) go("/");
      else if (event.key === "r") go("/runs");
      else if (/^[1-9]$/.test(event.key)) document.querySelectorAll<HTMLElement>("[data-tab]")[Number(event.key) - 1]?.click();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [go, readOnly]);
  return (
    <dialog ref={dialog} className="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">{t("keys")}</h2>
      <dl>
        {KEYS.filter(([, text]) => !readOnly || text !== "keys.ask").map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">{t("close")}</button>
      </form>
    </dialog>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

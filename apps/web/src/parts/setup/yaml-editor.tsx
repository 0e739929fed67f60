import type { CheckedConfig } from "@massgen/client";
import { useEffect, useId, useState } from "react";
import { useClient } from "../../server/server.js";
import { useText } from "../../text/texts.js";

/** How long nobody must have typed before the text is checked. */
const PAUSE_MS = 400;

/** The text of a config, checked by the server while it is written: each finding with its line and the way out. */
export function YamlEditor({ text, change }: { readonly text: string; readonly change: (text: string) => void }) {
  const t = useText();
  const id = useId();
  const client = useClient();
  const [checked, setChecked] = useState<CheckedConfig | null>(null);
  useEffect(() => {
    if (text.trim() === "") return;
    const gone = new AbortController();
    const timer = setTimeout(() => {
      // A server that does not answer is told of where something is saved.
      client.checkConfig(text, gone.signal).then(setChecked, () => {});
    }, PAUSE_MS);
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [client, text]);
  return (
    <div>
      <label htmlFor={id}>{t("yaml")}</label>
      <textarea id={id} className="yaml" rows={18} spellCheck={false} value={text} onChange={({ target }) => change(target.value)} />
      <ul aria-live="polite" className="findings">
        {checked?.isValid === true && checked.findings.length === 0 ? <li className="good">✓ {t("yaml.good")}</li> : null}
        {checked?.findings.map(({ severity, message, suggestion, line, location }) => (
          <li key={`${location} ${message}`} className={severity === "error" ? "bad" : "warning"}>
            {line === null ? null : <strong>{t("yaml.line", { line })}: </strong>}
            {message}
            {suggestion === null ? null : <em> {suggestion}</em>}
          </li>
        ))}
      </ul>
    </div>
  );
}

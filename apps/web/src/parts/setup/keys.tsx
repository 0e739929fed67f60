import type { SetupState } from "@massgen/client";
import { useState } from "react";
import { useSay } from "../../app/notices.js";
import { useClient } from "../../server/server.js";
import { useText } from "../../text/texts.js";
import { errorText } from "../problem.js";

/** Which keys are there, and a place for one that is not. A key goes to the server once and is never shown again. */
export function Keys({ state, stored }: { readonly state: SetupState; readonly stored: () => void }) {
  const t = useText();
  const say = useSay();
  const client = useClient();
  const [variable, setVariable] = useState("");
  const [value, setValue] = useState("");
  /** A key that is to be removed, once it is said again. */
  const [leaving, setLeaving] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // One row for each variable: several types share one.
  const rows = state.providers.filter(
    (one, place, all) => one.variable !== null && all.findIndex((other) => other.variable === one.variable) === place,
  );
  const chosen = variable === "" ? (rows.find(({ key }) => key === "missing")?.variable ?? rows[0]?.variable ?? "") : variable;
  const keep = async (): Promise<void> => {
    setProblem(null);
    try {
      const { wins } = await client.storeKey(chosen, value);
      setValue("");
      say(t(wins ? "keys.stored" : "keys.hidden", { variable: chosen }), wins ? "plain" : "bad");
      stored();
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const drop = async (name: string): Promise<void> => {
    if (leaving !== name) return setLeaving(name);
    setLeaving(null);
    try {
      const { removed, still } = await client.removeKey(name);
      const isGone = removed && !still;
      say(t(isGone ? "keys.removed" : still ? "keys.still" : "keys.notThere", { variable: name }), isGone ? "plain" : "bad");
      stored();
    } catch (error) {
      say(errorText(error), "bad");
    }
  };
  return (
    <section className="card" aria-labelledby="keys-of-providers">
      <h2 id="keys-of-providers">{t("keys.title")}</h2>
      <ul className="keys-list">
        {rows.map(({ variable: name, name: provider, key, from }) => (
          <li key={name} className={key === "set" ? "good" : "faint"}>
            <span aria-hidden="true">{key === "set" ? "✓" : "○"}</span> {provider} <code>{name}</code>{" "}
            {t(from === null ? "keys.missing" : `keys.from.${from}`, { file: state.keyFile })}
            {from === "keyFile" && name !== null ? (
              <button
                type="button"
                className={leaving === name ? "danger" : "quiet"}
                onClick={() => void drop(name)}
                onBlur={() => setLeaving(null)}
              >
                {t(leaving === name ? "keys.really" : "keys.remove", { variable: name })}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      <form
        className="actions"
        onSubmit={(event) => {
          event.preventDefault();
          void keep();
        }}
      >
        <label>
          {t("keys.of")}{" "}
          <select value={chosen} onChange={({ target }) => setVariable(target.value)}>
            {rows.map(({ variable: name, name: provider }) => (
              <option key={name} value={name ?? ""}>
                {provider}
              </option>
            ))}
          </select>
        </label>
        <label className="hidden" htmlFor="new-key">
          {t("keys.new", { variable: chosen })}
        </label>
        <input
          id="new-key"
          type="password"
          autoComplete="off"
          placeholder={chosen}
          value={value}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : "new-key-problem"}
          onChange={({ target }) => setValue(target.value)}
        />
        <button type="submit" disabled={value.trim() === ""}>
          {t("keys.keep")}
        </button>
      </form>
      {problem === null ? null : (
        <p id="new-key-problem" className="bad" role="alert">
          {problem}
        </p>
      )}
      <p className="faint">{t("keys.where", { file: state.keyFile })}</p>
    </section>
  );
}

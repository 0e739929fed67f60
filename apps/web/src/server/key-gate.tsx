import { useState } from "react";
import { useText } from "../text/texts.js";

/** The server asks for a key of its own: one that `massgen serve` was given, not a vendor's. */
export function KeyGate({ isWrong, enter }: { readonly isWrong: boolean; readonly enter: (key: string) => void }) {
  const t = useText();
  const [key, setKey] = useState("");
  return (
    <form
      className="card narrow"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== "") enter(key.trim());
      }}
    >
      <h1>{t("key.title")}</h1>
      <p>{t("key.why")}</p>
      <label htmlFor="server-key">{t("key.label")}</label>
      <input
        id="server-key"
        type="password"
        autoComplete="off"
        value={key}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? "server-key-wrong" : undefined}
        onChange={({ target }) => setKey(target.value)}
      />
      {isWrong ? (
        <p id="server-key-wrong" className="bad" role="alert">
          {t("key.wrong")}
        </p>
      ) : null}
      <button type="submit" className="primary">
        {t("key.enter")}
      </button>
    </form>
  );
}

import { useState } from "react";
import { useSay } from "../app/notices.js";
import { useClient } from "../server/server.js";
import { useText } from "../text/texts.js";
import { errorText } from "./problem.js";

/** Says something to the agents while they work: it reaches them at their next step, and nothing they have done is lost. */
export function SayToAgents({ id, agents }: { readonly id: string; readonly agents: readonly string[] }) {
  const t = useText();
  const say = useSay();
  const client = useClient();
  const [text, setText] = useState("");
  const [agent, setAgent] = useState("");
  const send = async (): Promise<void> => {
    try {
      const { took } = await client.sendInput(id, { text, ...(agent === "" ? {} : { agent }) });
      say(took ? t("say.took") : t("say.late"));
      if (took) setText("");
    } catch (error) {
      say(errorText(error), "bad");
    }
  };
  return (
    <form
      className="actions say"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") void send();
      }}
    >
      <label className="hidden" htmlFor="say-text">
        {t("say")}
      </label>
      <input
        id="say-text"
        value={text}
        dir="auto"
        placeholder={t("say")}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      {agents.length < 2 ? null : (
        <label>
          <span className="hidden">{t("say.to")}</span>
          <select value={agent} onChange={({ target }) => setAgent(target.value)}>
            <option value="">{t("say.all")}</option>
            {agents.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" disabled={text.trim() === ""}>
        {t("say.send")}
      </button>
    </form>
  );
}

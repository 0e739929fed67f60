import { acceptedAttempt, decisionText, type RunView } from "@massgen/views";
import { useRef } from "react";
import { useSay } from "../app/notices.js";
import { readFacts } from "../run/read-facts.js";
import { useClient } from "../server/server.js";
import { useText } from "../text/texts.js";
import { download } from "./download.js";
import { errorText } from "./problem.js";

/** What can be taken out of a run: its result, why it is the result, and everything that happened. */
export function ExportMenu({ id, view }: { readonly id: string; readonly view: RunView }) {
  const t = useText();
  const say = useSay();
  const client = useClient();
  const menu = useRef<HTMLDetailsElement>(null);
  const accepted = acceptedAttempt(view);
  const answer = accepted.state.finalAnswer ?? view.state.finalAnswer;

  const give = async (name: string, content: () => string | Promise<string>): Promise<void> => {
    menu.current?.removeAttribute("open");
    menu.current?.querySelector("summary")?.focus();
    try {
      download(`massgen-${id}-${name}`, await content());
    } catch (error) {
      say(errorText(error), "bad");
    }
  };
  const decision = async (): Promise<string> => decisionText(accepted, { simulated: (await client.run(id)).simulated }) ?? "";
  const facts = async (): Promise<string> =>
    (await readFacts(client, id, view.lastSeq)).map((fact) => `${JSON.stringify(fact)}\n`).join("");
  return (
    <details
      ref={menu}
      className="menu"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.currentTarget.removeAttribute("open");
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary>{t("export")}</summary>
      <div>
        <button type="button" disabled={answer === null} onClick={() => void give("answer.md", () => answer ?? "")}>
          {t("export.answer")}
        </button>
        <button type="button" disabled={accepted.decision === null} onClick={() => void give("decision.md", decision)}>
          {t("export.decision")}
        </button>
        <button type="button" onClick={() => void give("page.html", () => client.exportPage(id))}>
          {t("export.page")}
        </button>
        <button type="button" onClick={() => void give("facts.jsonl", facts)}>
          {t("export.facts")}
        </button>
      </div>
    </details>
  );
}

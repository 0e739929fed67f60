import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";
import { Problem } from "./problem.js";

/** A question and who is to work on it. */
export function Ask({ sessionId, team = "massgen" }: { readonly sessionId?: string; readonly team?: string }) {
  const t = useText();
  const client = useClient();
  const [, go] = useLocation();
  const [question, setQuestion] = useState("");
  const [model, setModel] = useState(team);
  const [isConversation, setIsConversation] = useState(true);
  const [isStarting, setIsStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { loaded } = useLoaded((signal) => client.teams(signal), [client]);
  // A server that keeps its keys to itself answers with 404, and there is nothing to set up.
  const { loaded: setup } = useLoaded((signal) => client.setup(signal), [client]);

  const start = async (): Promise<void> => {
    setIsStarting(true);
    setError(null);
    try {
      const run = await client.startRun({
        question,
        model,
        answersRequests: true,
        reviewsChanges: true,
        ...sessionOf(sessionId, isConversation),
      });
      go(`/runs/${encodeURIComponent(run.id)}`);
    } catch (cause) {
      setError(cause);
      setIsStarting(false);
    }
  };
  return (
    <form
      className="card ask"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      {setup.value?.problem == null ? null : (
        <p className="warning" role="status">
          {t("setup.first")} <Link href="/setup">{t("setup.begin")}</Link>
        </p>
      )}
      <label htmlFor="question">{t("ask.question")}</label>
      <textarea
        id="question"
        rows={5}
        required
        dir="auto"
        value={question}
        placeholder={t("ask.placeholder")}
        onChange={({ target }) => setQuestion(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <div className="actions">
        <label htmlFor="team">{t("ask.team")}</label>
        <input id="team" list="teams" value={model} onChange={({ target }) => setModel(target.value)} spellCheck={false} />
        <datalist id="teams">
          {(loaded.value ?? []).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <button type="submit" className="primary" disabled={isStarting || question.trim() === ""}>
          {isStarting ? t("ask.starting") : t("ask.start")}
        </button>
        <span className="faint">{t("ask.hint")}</span>
        {sessionId === undefined ? (
          <label className="faint">
            <input type="checkbox" checked={isConversation} onChange={({ target }) => setIsConversation(target.checked)} />{" "}
            {t("ask.conversation")}
          </label>
        ) : null}
      </div>
      {error === null ? null : <Problem error={error} />}
    </form>
  );
}

/** A conversation begins with an id of its own, where the browser may make one: pages that came over plain HTTP from elsewhere may not. */
const sessionOf = (sessionId: string | undefined, begins: boolean): { readonly sessionId?: string } => {
  if (sessionId !== undefined) return { sessionId };
  return begins && "randomUUID" in crypto ? { sessionId: crypto.randomUUID() } : {};
};

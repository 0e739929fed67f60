import { Link } from "wouter";
import { Ask } from "../parts/ask.js";
import { Loading } from "../parts/loading.js";
import { Markdown } from "../parts/markdown.js";
import { Problem } from "../parts/problem.js";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";

/** One conversation: its turns in their order, and the next question. */
export function SessionPage({ id }: { readonly id: string }) {
  const t = useText();
  const client = useClient();
  const { loaded, again } = useLoaded((signal) => client.session(id, signal), [client, id]);
  return (
    <>
      <h1>{t("sessions.one")}</h1>
      {loaded.is === "failed" ? <Problem error={loaded.error} retry={again} /> : null}
      {loaded.value === null && loaded.is === "loading" ? <Loading /> : null}
      {loaded.value?.turns.map(({ turn, runId, question, answer, isComplete, winner }) => (
        <article key={turn} className="card turn" aria-label={t("sessions.turn", { turn })}>
          <h2 dir="auto">{question}</h2>
          <p className="facts">
            {isComplete ? null : `${t("sessions.cutOff")} · `}
            {winner === null ? null : `★ ${winner} · `}
            {runId === null ? null : <Link href={`/runs/${encodeURIComponent(runId)}`}>{t("sessions.run")}</Link>}
          </p>
          {answer === null ? <p className="faint">{t("sessions.noAnswer")}</p> : <Markdown text={answer} />}
        </article>
      ))}
      <Ask sessionId={id} />
    </>
  );
}

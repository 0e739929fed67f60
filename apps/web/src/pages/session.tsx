import { ClientError } from "@massgen/client";
import { useEffect } from "react";
import { Link } from "wouter";
import { useTitle } from "../app/use-title.js";
import { Ask } from "../parts/ask.js";
import { Loading } from "../parts/loading.js";
import { Markdown } from "../parts/markdown.js";
import { Problem } from "../parts/problem.js";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";

/** Between two looks at a conversation that is at work. */
const LOOK_MS = 1_000;

/** One conversation: its turns in their order, and the next question. */
export function SessionPage({ id }: { readonly id: string }) {
  const t = useText();
  useTitle(t("sessions.one"));
  const client = useClient();
  const { loaded, again } = useLoaded((signal) => client.session(id, signal), [client, id]);
  const isAtWork = loaded.is === "failed" && loaded.error instanceof ClientError && loaded.error.code === "in_use";
  useEffect(() => {
    if (!isAtWork) return;
    const timer = setInterval(again, LOOK_MS);
    return () => clearInterval(timer);
  }, [isAtWork, again]);
  return (
    <>
      <h1>{t("sessions.one")}</h1>
      {isAtWork ? <p role="status">{t("sessions.atWork")}</p> : null}
      {loaded.is === "failed" && !isAtWork ? <Problem error={loaded.error} retry={again} /> : null}
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
      {loaded.value === null ? null : (
        <Ask key={loaded.value.model} sessionId={id} {...(loaded.value.model === null ? {} : { team: loaded.value.model })} />
      )}
    </>
  );
}

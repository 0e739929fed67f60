import { Link } from "wouter";
import { useTitle } from "../app/use-title.js";
import { Loading } from "../parts/loading.js";
import { Problem } from "../parts/problem.js";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useLanguage, useText } from "../text/texts.js";

/** Conversations, newest first: also those of the command line in the same folder. */
export function Sessions() {
  const t = useText();
  useTitle(t("sessions"));
  const [language] = useLanguage();
  const client = useClient();
  const { loaded, again } = useLoaded((signal) => client.sessions(signal), [client]);
  if (loaded.is === "failed") return <Problem error={loaded.error} retry={again} />;
  if (loaded.value === null) return <Loading />;
  const { sessions } = loaded.value;
  return (
    <>
      <h1>{t("sessions")}</h1>
      {sessions.length === 0 ? <p className="faint">{t("sessions.none")}</p> : null}
      <ul className="runs">
        {sessions.map(({ id, description, turns, startedAt, status }) => (
          <li key={id}>
            <Link href={`/sessions/${encodeURIComponent(id)}`} dir="auto">
              {description ?? id}
            </Link>
            <p className="facts">
              {t("sessions.turns", { count: turns })} · {new Date(startedAt).toLocaleString(language)} · {status}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

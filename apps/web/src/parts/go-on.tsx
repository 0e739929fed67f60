import { Link } from "wouter";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";
import { Ask } from "./ask.js";

/** Below a run that is over: the way to all of its conversation and the next question, or that it stands alone. */
export function GoOn({ id }: { readonly id: string }) {
  const t = useText();
  const client = useClient();
  const { loaded } = useLoaded((signal) => client.run(id, signal), [client, id]);
  if (loaded.value === null) return null;
  const { sessionId, model } = loaded.value;
  if (sessionId === null)
    return (
      <p className="faint">
        {t("sessions.alone")} <Link href="/">{t("sessions.askAnew")}</Link>
      </p>
    );
  return (
    <section aria-labelledby="go-on-title">
      <h2 id="go-on-title">{t("sessions.goOn")}</h2>
      <p>
        <Link href={`/sessions/${encodeURIComponent(sessionId)}`}>{t("sessions.all")}</Link>
      </p>
      <Ask sessionId={sessionId} {...(model === null ? {} : { team: model })} />
    </section>
  );
}

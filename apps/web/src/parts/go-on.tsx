import { Link } from "wouter";
import { useClient } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";
import { Ask } from "./ask.js";

/** Below a run that is over and belongs to a conversation: the way to all of it, and the next question. */
export function GoOn({ id }: { readonly id: string }) {
  const t = useText();
  const client = useClient();
  const { loaded } = useLoaded((signal) => client.run(id, signal), [client, id]);
  const sessionId = loaded.value?.sessionId ?? null;
  if (sessionId === null) return null;
  return (
    <section aria-labelledby="go-on-title">
      <h2 id="go-on-title">{t("sessions.goOn")}</h2>
      <p>
        <Link href={`/sessions/${encodeURIComponent(sessionId)}`}>{t("sessions.all")}</Link>
      </p>
      <Ask sessionId={sessionId} />
    </section>
  );
}

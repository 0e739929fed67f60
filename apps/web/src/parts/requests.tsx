import type { RequestReply } from "@massgen/client";
import type { OpenRequest } from "@massgen/views";
import { formatDuration } from "@massgen/views";
import { useLayoutEffect, useRef, useState } from "react";
import { useSay } from "../app/notices.js";
import type { Watched } from "../run/run-store.js";
import { useClient, useReadOnly } from "../server/server.js";
import { useText } from "../text/texts.js";
import { errorText } from "./problem.js";

const REPLIES: readonly RequestReply[] = ["allow_once", "allow_run", "deny"];

/** Calls that wait for a person's consent. They take no focus: somebody may be typing. */
export function Requests({ id, watched, nowMs }: { readonly id: string; readonly watched: Watched; readonly nowMs: number }) {
  const t = useText();
  // Whoever asked in a run that was cut off is gone.
  const requests = watched.connection === "over" ? [] : watched.live.requests;
  // Politely, and once: the list is there before anything is in it.
  // Whoever answered, or was about to, finds the keyboard here again when the card is gone.
  const list = useRef<HTMLElement>(null);
  const home = useRef(() => list.current?.focus()).current;
  return (
    <section ref={list} tabIndex={-1} className="requests" aria-live="polite" aria-label={t("requests")}>
      {requests.map((one) => (
        <Consent key={one.request.id} run={id} open={one} leftMs={leftOf(one, watched, nowMs)} leave={home} />
      ))}
    </section>
  );
}

interface ConsentProps {
  readonly run: string;
  readonly open: OpenRequest;
  readonly leftMs: number | null;
  /** Takes the focus, which must not be lost with the card. */
  readonly leave: () => void;
}

function Consent({ run, open: { request }, leftMs, leave }: ConsentProps) {
  const t = useText();
  const say = useSay();
  const client = useClient();
  const readOnly = useReadOnly();
  const [isSent, setIsSent] = useState(false);
  const card = useRef<HTMLElement>(null);
  // Somebody else may answer first: the cleanup runs while the card is still there.
  useLayoutEffect(
    () => () => {
      if (card.current?.contains(document.activeElement) === true) leave();
    },
    [leave],
  );
  const reply = async (what: RequestReply): Promise<void> => {
    setIsSent(true);
    leave();
    try {
      const { took } = await client.answerRequest(run, request.id, what);
      if (!took) say(t("requests.late"));
    } catch (error) {
      setIsSent(false);
      say(errorText(error), "bad");
    }
  };
  return (
    <article ref={card} className="card consent">
      <h2>{t("requests.asks", { agent: request.agent ?? t("budget.run") })}</h2>
      <pre className="text">{request.prompt}</pre>
      <div className="actions">
        {readOnly ? (
          <span>{t("readOnly.elsewhere")}</span>
        ) : (
          REPLIES.map((one) => (
            <button key={one} type="button" disabled={isSent} className={one === "deny" ? "danger" : ""} onClick={() => void reply(one)}>
              {t(`requests.${one}`)}
            </button>
          ))
        )}
        {leftMs === null ? null : <span className="faint">{t("requests.left", { time: formatDuration(leftMs) })}</span>}
      </div>
    </article>
  );
}

function leftOf({ request: { deadlineMs }, at }: OpenRequest, { lastFact }: Watched, nowMs: number): number | null {
  if (deadlineMs === null || lastFact === null) return null;
  const passedMs = lastFact.at - at + (nowMs - lastFact.seenMs);
  return Math.max(0, deadlineMs - passedMs);
}

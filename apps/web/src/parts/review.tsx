import type { ChangedFile, DecideReview, Review as ReviewOfRun } from "@massgen/client";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { useSay } from "../app/notices.js";
import { useClient, useReadOnly } from "../server/server.js";
import { useLoaded } from "../server/use-loaded.js";
import { useText } from "../text/texts.js";
import { DiffRows } from "./changes.js";
import { Loading } from "./loading.js";
import { errorText, Problem } from "./problem.js";

/** Between two looks at a review: no fact of the run tells that it opened, or that somebody decided it elsewhere. */
const LOOK_MS = 2_000;

function useReview(id: string, stage: string) {
  const client = useClient();
  const { loaded, again } = useLoaded((signal) => client.review(id, signal), [client, id, stage]);
  const state = loaded.value?.state;
  const mayChange = state === "open" || state === "pending";
  useEffect(() => {
    if (!mayChange) return;
    const timer = setInterval(again, LOOK_MS);
    return () => clearInterval(timer);
  }, [mayChange, again]);
  return { loaded, again };
}

/** What the presenter changed in files of the user's, and what is to become of it. `stage` changes when the run went on. */
export function Review({ id, stage }: { readonly id: string; readonly stage: string }) {
  const t = useText();
  const { loaded, again } = useReview(id, stage);
  if (loaded.value === null && loaded.is === "failed") return <Problem error={loaded.error} retry={again} />;
  if (loaded.value === null) return <Loading />;
  const { state, files } = loaded.value;
  if (state === "pending") return <p className="faint">{t("review.pending")}</p>;
  if (state === "none") return <p className="faint">{t("review.none")}</p>;
  return <Files key={state} run={id} review={loaded.value} files={files} decided={again} />;
}

interface FilesProps {
  readonly run: string;
  readonly review: ReviewOfRun;
  readonly files: readonly ChangedFile[];
  readonly decided: () => void;
}

function Files({ run, review, files, decided }: FilesProps) {
  const t = useText();
  const say = useSay();
  const client = useClient();
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set(files.filter(({ refused }) => !refused).map(({ path }) => path)));
  const readOnly = useReadOnly();
  const isOpen = review.state === "open" && !readOnly;
  const decide = async (decision: DecideReview): Promise<void> => {
    try {
      const { took } = await client.decideReview(run, decision);
      if (!took) say(t("review.late"));
      decided();
    } catch (error) {
      say(errorText(error), "bad");
    }
  };
  const toggle = (path: string): void => {
    const next = new Set(taken);
    if (!next.delete(path)) next.add(path);
    setTaken(next);
  };
  return (
    <div className="review">
      <p>
        {t(isOpen ? "review.open" : review.state === "open" ? "readOnly.undecided" : "review.decided", {
          count: files.length,
          presenter: review.presenter ?? "",
        })}
      </p>
      {files.map((file) => (
        <ReviewedFile key={file.path} file={file} isOpen={isOpen} isTaken={taken.has(file.path)} toggle={() => toggle(file.path)} />
      ))}
      {isOpen ? (
        <div className="actions">
          <button
            type="button"
            className="primary"
            onClick={() => void decide(taken.size === files.length ? { accept: "all" } : { accept: "some", paths: [...taken] })}
          >
            {t("review.apply", { count: taken.size })}
          </button>
          <button type="button" className="danger" onClick={() => void decide({ accept: "none" })}>
            {t("review.reject")}
          </button>
        </div>
      ) : null}
    </div>
  );
}

interface ReviewedFileProps {
  readonly file: ChangedFile;
  readonly isOpen: boolean;
  readonly isTaken: boolean;
  readonly toggle: () => void;
}

function ReviewedFile({ file, isOpen, isTaken, toggle }: ReviewedFileProps) {
  const t = useText();
  const { name, kind, addedLines, removedLines, diff, runsLater, refused, conflict, outcome, reason } = file;
  return (
    <article className="card reviewed">
      {isOpen ? (
        <label>
          <input type="checkbox" checked={isTaken} disabled={refused} onChange={toggle} />
          <span className="hidden">{t("review.take", { name })}</span>
        </label>
      ) : null}
      <details open={runsLater}>
        <summary>
          <code>{name}</code> <span className="faint">{t(`review.${kind}`)}</span> <span className="good">+{addedLines}</span>{" "}
          <span className="bad">−{removedLines}</span>
          {outcome === null ? null : <strong> {t(`review.${outcome}`)}</strong>}
        </summary>
        {runsLater ? <p className="warning">{t("review.runsLater")}</p> : null}
        {refused ? <p className="bad">{t("review.isRefused")}</p> : null}
        {conflict === null ? null : <p className="bad">{conflict}</p>}
        {reason === null ? null : <p className="bad">{reason}</p>}
        {diff === null ? <p className="faint">{t("review.noText")}</p> : <DiffRows rows={rowsOf(diff)} />}
      </details>
    </article>
  );
}

/** Without the names of the file, which stand above. */
const rowsOf = (diff: string): readonly string[] => diff.slice(Math.max(0, diff.indexOf("@@"))).split("\n");

/** Says on every tab that a finished run waits for a decision about files. */
export function ReviewWaits({ id, stage }: { readonly id: string; readonly stage: string }) {
  const t = useText();
  const readOnly = useReadOnly();
  const { loaded } = useReview(id, stage);
  if (loaded.value?.state !== "open") return null;
  return (
    <p className="card consent" role="status">
      {t(readOnly ? "readOnly.waits" : "review.waits")} <Link href={`/runs/${encodeURIComponent(id)}/changes`}>{t("review.look")}</Link>
    </p>
  );
}

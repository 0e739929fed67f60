import { currentAnswers } from "@massgen/kernel";
import { type BallotFate, nameOf, type RunView } from "@massgen/views";
import { type TextName, useText } from "../text/texts.js";

/** Who votes for whom, just now, and every vote there ever was with what became of it. */
export function Votes({ view }: { readonly view: RunView }) {
  const t = useText();
  return (
    <>
      <VoteMatrix view={view} />
      <h3>{t("votes.all")}</h3>
      {view.ballots.length === 0 ? <p className="faint">{t("votes.none")}</p> : null}
      <ol className="ballots">
        {view.ballots.map((ballot) => (
          <li key={ballot.seq} className={ballot.fate.is === "standing" ? "standing" : "faint"}>
            <p>
              <strong>{nameOf(view, ballot.voter)}</strong> → {ballot.targetLabel ?? ballot.target}
              {ballot.fate.is === "standing" ? null : <em> ({t(FATES[ballot.fate.is])})</em>}
            </p>
            <blockquote dir="auto">{ballot.reason === "" ? t("votes.noReason") : ballot.reason}</blockquote>
          </li>
        ))}
      </ol>
    </>
  );
}

const FATES: Readonly<Record<Exclude<BallotFate["is"], "standing">, TextName>> = {
  ignored: "votes.ignored",
  voided: "votes.voided",
  cleared: "votes.cleared",
  withdrawn: "votes.withdrawn",
};

/** Fills as votes come and empties when an answer makes them void. */
function VoteMatrix({ view: { state } }: { readonly view: RunView }) {
  const t = useText();
  const labels = currentAnswers(state).map(({ label }) => label);
  if (state.mode !== "voting" || labels.length === 0) return null;
  const votersFor = (label: string): number => state.order.filter((id) => state.agents[id]?.vote?.targetLabel === label).length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <div className="wide" tabIndex={0}>
      <table className="matrix">
        <caption>{t("votes.now")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("votes.voter")}</th>
            {labels.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {state.order.map((id) => (
            <tr key={id}>
              <th scope="row">{id}</th>
              {labels.map((label) => {
                const isVote = state.agents[id]?.vote?.targetLabel === label;
                return (
                  <td key={label} className={isVote ? "good" : "faint"}>
                    <span aria-hidden="true">{isVote ? "●" : "·"}</span>
                    {isVote ? <span className="hidden">{t("votes.yes")}</span> : null}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("votes.sum")}</th>
            {labels.map((label) => (
              <td key={label}>{votersFor(label)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

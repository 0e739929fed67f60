import { acceptedAttempt, type DecisionReport, decisionReport, nameOf, type RunView, whatIfTexts } from "@massgen/views";
import { useText } from "../text/texts.js";

/** Why this answer: the rule, what was said for it and against it, what would have changed it. */
export function Decision({ view }: { readonly view: RunView }) {
  const t = useText();
  const accepted = acceptedAttempt(view);
  const report = decisionReport(accepted);
  if (report === null) return <p className="faint">{t("decision.none")}</p>;
  const changes = [...(report.counterfactual === null ? [] : [report.counterfactual]), ...whatIfTexts(accepted)];
  return (
    <div className="decision">
      <p className="rule">{report.rule_text}</p>
      {report.tally.length < 2 ? null : (
        <p>
          {t("decision.count")}: {report.tally.map(({ label, weight }) => `${label} ${weight}`).join(", ")}
        </p>
      )}
      <Reasons title={t("decision.for")} reasons={report.reasons_for_winner} view={accepted} />
      <Reasons title={t("decision.dissent")} reasons={report.reasons_for_others} view={accepted} />
      <Sentences title={t("decision.whatIf")} texts={changes} />
      <Sentences title={t("decision.warnings")} texts={report.warnings} />
    </div>
  );
}

interface ReasonsProps {
  readonly title: string;
  readonly reasons: DecisionReport["reasons_for_winner"];
  readonly view: RunView;
}

function Reasons({ title, reasons, view }: ReasonsProps) {
  const t = useText();
  if (reasons.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul className="reasons">
        {reasons.map(({ voter, label, reason }) => (
          <li key={`${voter} ${label}`}>
            <strong>{nameOf(view, voter)}</strong>
            {label === null ? null : ` → ${label}`}: <q dir="auto">{reason === "" ? t("votes.noReason") : reason}</q>
          </li>
        ))}
      </ul>
    </>
  );
}

function Sentences({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

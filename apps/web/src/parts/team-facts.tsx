import type { TeamSummary } from "@massgen/client";
import { Link } from "wouter";
import { useText } from "../text/texts.js";

/** Who is in the chosen team, and whose key is missing. */
export function TeamFacts({ team }: { readonly team: TeamSummary }) {
  const t = useText();
  const lacks = team.agents.some(({ key }) => key === "missing");
  return (
    <div className="team-facts">
      {team.agents.length === 0 ? <p className="bad">{team.summary}</p> : null}
      <ul className="keys-list" aria-label={t("ask.agents")}>
        {team.agents.map(({ id, type, model, key, variables }) => (
          <li key={id} className={key === "missing" ? "warning" : ""}>
            <span aria-hidden="true">{key === "missing" ? "○" : "✓"}</span> {id} · {model ?? type}{" "}
            <span className="faint">
              {key === "none" ? t("ask.noKey") : key === "set" ? t("ask.keySet") : t("ask.keyMissing", { variables: variables.join(", ") })}
            </span>
          </li>
        ))}
      </ul>
      {lacks ? <Link href="/setup">{t("ask.giveKey")}</Link> : null}
    </div>
  );
}

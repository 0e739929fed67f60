import { Link } from "wouter";
import { useReadOnly } from "../server/server.js";
import { useText } from "../text/texts.js";

export function NotFound() {
  const t = useText();
  const readOnly = useReadOnly();
  return (
    <div className="card narrow">
      <h1>{t("notFound")}</h1>
      {readOnly ? <p>{t("readOnly.why")}</p> : null}
      <p>{readOnly ? <Link href="/runs">{t("keys.runs")}</Link> : <Link href="/">{t("notFound.home")}</Link>}</p>
    </div>
  );
}

import { Link } from "wouter";
import { useText } from "../text/texts.js";

export function NotFound() {
  const t = useText();
  return (
    <div className="card narrow">
      <h1>{t("notFound")}</h1>
      <p>
        <Link href="/">{t("notFound.home")}</Link>
      </p>
    </div>
  );
}

import type { ReactNode } from "react";
import { Link, useRoute } from "wouter";
import { useReadOnly } from "../server/server.js";
import { useText } from "../text/texts.js";
import { Preferences } from "./preferences.js";
import { Shortcuts } from "./shortcuts.js";

/** What stands around every page: where one is, where one can go, and how it looks. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const readOnly = useReadOnly();
  return (
    <>
      <button type="button" className="skip" onClick={() => document.querySelector<HTMLElement>("#main")?.focus()}>
        {t("skip")}
      </button>
      <header className="shell">
        <Link href="/" className="brand">
          MassGen
        </Link>
        <nav aria-label={t("nav")}>
          {readOnly ? null : <NavLink href="/">{t("nav.ask")}</NavLink>}
          <NavLink href="/runs">{t("nav.runs")}</NavLink>
          {readOnly ? null : (
            <>
              <NavLink href="/sessions">{t("nav.sessions")}</NavLink>
              <NavLink href="/teams">{t("nav.teams")}</NavLink>
            </>
          )}
        </nav>
        {readOnly ? <span className="faint">{t("readOnly")}</span> : null}
        <Preferences />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Shortcuts />
    </>
  );
}

function NavLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const [isHere] = useRoute(href);
  return (
    <Link href={href} aria-current={isHere ? "page" : undefined}>
      {children}
    </Link>
  );
}

import { useEffect } from "react";
import { LANGUAGES, useLanguage, useText } from "../text/texts.js";
import { useKept } from "./kept.js";

const THEMES = ["system", "light", "dark"] as const;

/** Light or dark, and the language. */
export function Preferences() {
  const t = useText();
  const [language, setLanguage] = useLanguage();
  const [theme, setTheme] = useKept("theme", THEMES, "system");
  useEffect(() => {
    if (theme === "system") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  return (
    <div className="preferences">
      <label>
        <span className="hidden">{t("theme")}</span>
        <select value={theme} onChange={({ target }) => setTheme(THEMES.find((one) => one === target.value) ?? "system")}>
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {t(`theme.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="hidden">{t("language")}</span>
        <select value={language} onChange={({ target }) => setLanguage(target.value === "zh" ? "zh" : "en")}>
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

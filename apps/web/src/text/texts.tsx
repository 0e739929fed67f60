import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { useKept } from "../app/kept.js";
import { en, type TextName, type TextsOf } from "./en.js";
import { fill } from "./fill.js";

export type { TextName };
export const LANGUAGES = { en: "English", zh: "中文" } as const;
export type Language = keyof typeof LANGUAGES;

export type Text = (name: TextName, values?: Readonly<Record<string, string | number>>) => string;

const Current = createContext<{ readonly language: Language; readonly setLanguage: (language: Language) => void; readonly t: Text } | null>(
  null,
);

const current = () => {
  const found = useContext(Current);
  if (found === null) throw new Error("There are no texts around this part of the page.");
  return found;
};

/** The texts of the page in the chosen language; what models and the engine say stays as it was said. */
export const useText = (): Text => current().t;
export const useLanguage = (): readonly [Language, (language: Language) => void] => {
  const { language, setLanguage } = current();
  return [language, setLanguage];
};

export function Texts({ children }: { readonly children: ReactNode }) {
  const preferred: Language = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
  const [language, setLanguage] = useKept<Language>("language", ["en", "zh"], preferred);
  const [texts, setTexts] = useState<TextsOf>(en);
  useEffect(() => {
    document.documentElement.lang = language;
    let isWanted = true;
    if (language === "en") setTexts(en);
    else
      void import("./zh.js").then(({ zh }) => {
        if (isWanted) setTexts(zh);
      });
    return () => {
      isWanted = false;
    };
  }, [language]);
  const t = useCallback<Text>((name, values = {}) => fill(texts[name], values), [texts]);
  const value = useMemo(() => ({ language, setLanguage, t }), [language, setLanguage, t]);
  return <Current value={value}>{children}</Current>;
}

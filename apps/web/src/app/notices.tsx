import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { useText } from "../text/texts.js";

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "bad";
}

const Say = createContext<(text: string, tone?: Notice["tone"]) => void>(() => {});

/** Tells what came of something that was asked for; stays until it is closed when something went wrong. */
export const useSay = (): ((text: string, tone?: Notice["tone"]) => void) => useContext(Say);

const SHOWN_MS = 6_000;

export function Notices({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const close = useCallback((id: number) => setNotices((all) => all.filter((one) => one.id !== id)), []);
  const say = useCallback(
    (text: string, tone: Notice["tone"] = "plain") => {
      const id = Date.now() + Math.random();
      setNotices((all) => [...all.slice(-3), { id, text, tone }]);
      if (tone === "plain") setTimeout(() => close(id), SHOWN_MS);
    },
    [close],
  );
  return (
    <Say value={say}>
      {children}
      <div className="notices" role="status">
        {notices.map(({ id, text, tone }) => (
          <p key={id} className={`notice ${tone}`}>
            {text}
            <button type="button" className="quiet" onClick={() => close(id)} aria-label={t("close")}>
              ×
            </button>
          </p>
        ))}
      </div>
    </Say>
  );
}

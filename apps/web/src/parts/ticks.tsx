import type { RunSummary } from "@massgen/client";
import { useState } from "react";
import { Link } from "wouter";
import { useText } from "../text/texts.js";

export interface Ticks {
  readonly chosen: readonly RunSummary[];
  readonly toggle: (run: RunSummary) => void;
}

/** Up to two runs that are to be compared. */
export function useTicks(): Ticks {
  const [chosen, setChosen] = useState<readonly RunSummary[]>([]);
  const toggle = (run: RunSummary): void =>
    setChosen((all) => (all.some(({ id }) => id === run.id) ? all.filter(({ id }) => id !== run.id) : [...all, run].slice(0, 2)));
  return { chosen, toggle };
}

/** How many are still to be ticked, and the way on; the older run is the first, so that what came later reads as a change. */
export function CompareBar({ chosen }: Pick<Ticks, "chosen">) {
  const t = useText();
  const [one, other] = chosen.toSorted((a, b) => (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0));
  return (
    <div className="actions compare-bar">
      <span role="status">{t(one === undefined ? "compare.hint" : other === undefined ? "compare.oneMore" : "compare.ready")}</span>
      {one === undefined || other === undefined ? null : <Link href={compareHref(one.id, other.id)}>{t("compare.do")}</Link>}
    </div>
  );
}

export const compareHref = (one: string, other: string): string => `/compare/${encodeURIComponent(one)}/${encodeURIComponent(other)}`;

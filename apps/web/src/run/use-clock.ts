import { useEffect, useState } from "react";

/** The time of this machine in milliseconds, a few times a second while `isRunning`. */
export function useClock(isRunning: boolean, everyMs = 500): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [isRunning, everyMs]);
  return now;
}

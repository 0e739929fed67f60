import { type DependencyList, useCallback, useEffect, useRef, useState } from "react";

export type Loaded<T> =
  | { readonly is: "loading"; readonly value: T | null }
  | { readonly is: "there"; readonly value: T }
  | { readonly is: "failed"; readonly error: unknown; readonly value: T | null };

/** Asks the server when what it depends on changes, or again when told to; what came last stays until the next is there, and on asking again a fault too. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: DependencyList,
): { readonly loaded: Loaded<T>; readonly again: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ is: "loading", value: null });
  const [times, setTimes] = useState(0);
  const lastTimes = useRef(times);
  useEffect(() => {
    const gone = new AbortController();
    const isAgain = lastTimes.current !== times;
    lastTimes.current = times;
    setLoaded((last) => (isAgain ? last : { is: "loading", value: last.value }));
    load(gone.signal).then(
      (value) => {
        if (!gone.signal.aborted) setLoaded({ is: "there", value });
      },
      (error: unknown) => {
        if (!gone.signal.aborted) setLoaded(({ value }) => ({ is: "failed", error, value }));
      },
    );
    return () => gone.abort();
  }, [...dependencies, times]);
  return { loaded, again: useCallback(() => setTimes((count) => count + 1), []) };
}

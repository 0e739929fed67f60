import { useCallback, useState } from "react";

/** A choice that this browser remembers; where it may not, the choice lasts as long as the page. */
export function useKept<T extends string>(name: string, choices: readonly T[], first: T): readonly [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => choices.find((choice) => choice === read(name)) ?? first);
  const keep = useCallback(
    (next: T) => {
      setValue(next);
      try {
        localStorage.setItem(`massgen.${name}`, next);
      } catch {
        // Storage is full or forbidden: nothing is lost but the memory of it.
      }
    },
    [name],
  );
  return [value, keep];
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(`massgen.${name}`);
  } catch {
    return null;
  }
}

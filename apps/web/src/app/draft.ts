import { useCallback, useState } from "react";

/** A text that is there again when its page was left and comes back, as long as the tab lives. Empty: forgotten. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const key = `massgen.draft.${name}`;
  const [text, setText] = useState(() => {
    try {
      return sessionStorage.getItem(key) ?? "";
    } catch {
      return "";
    }
  });
  const change = useCallback(
    (next: string) => {
      setText(next);
      try {
        if (next === "") sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, next);
      } catch {
        // Storage is full or forbidden: the text lasts as long as its page.
      }
    },
    [key],
  );
  return [text, change];
}

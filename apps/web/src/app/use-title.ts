import { excerpt } from "@massgen/views";
import { useEffect } from "react";

/** What tabs, history and screen readers call the view that is shown; `null` while that is not known. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null || title === "" ? "MassGen" : `${excerpt(title, 80)} · MassGen`;
    return () => {
      document.title = "MassGen";
    };
  }, [title]);
}

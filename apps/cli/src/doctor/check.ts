/** One thing that was looked at. `note`: works without; `problem`: a run would fail, exit code 1. Never holds a key. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "note" | "problem";
  readonly found: string;
  /** What to do about it; `null` when there is nothing to do. */
  readonly remedy: string | null;
}

export const ok = (name: string, found: string): Check => ({ name, state: "ok", found, remedy: null });
export const note = (name: string, found: string, remedy: string): Check => ({ name, state: "note", found, remedy });
export const problem = (name: string, found: string, remedy: string): Check => ({ name, state: "problem", found, remedy });

import { useText } from "../text/texts.js";

/** What went wrong, in the words of whoever knows, and the way on. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const t = useText();
  return (
    <div className="card problem" role="alert">
      <p>{errorText(error)}</p>
      {retry === undefined ? null : (
        <button type="button" onClick={retry}>
          {t("retry")}
        </button>
      )}
    </div>
  );
}

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

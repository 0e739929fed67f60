import { useText } from "../text/texts.js";

export function Loading() {
  return (
    <p className="loading" aria-busy="true">
      {useText()("loading")}
    </p>
  );
}

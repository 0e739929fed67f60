import type { Sink } from "../io.js";
import type { Screen } from "./screen.js";

export function createEventScreen({ out, err }: { readonly out: Sink; readonly err: Sink }): Screen {
  throw new Error(`${out} ${err}`);
}

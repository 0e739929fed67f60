import type { Sink } from "../io.js";
import type { Screen } from "./screen.js";
import { visibleLine, visibleText } from "./visible-text.js";

/** The answer and nothing else on `out`; warnings on `err`. */
export function createSilentScreen({ out, err }: { readonly out: Sink; readonly err: Sink }): Screen {
  return {
    begin: () => {},
    event: () => {},
    end: ({ result }) => {
      if (result.finalAnswer !== null) out.write(`${visibleText(result.finalAnswer).replace(/\n+$/, "")}\n`);
    },
    interrupted: () => err.write("massgen: interrupted: saving what is there\n"),
    say: (kind, message) => err.write(`massgen: ${kind}: ${visibleLine(message)}\n`),
    fail: () => {},
    close: () => {},
  };
}

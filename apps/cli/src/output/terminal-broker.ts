import type { Approval, HumanBroker } from "@massgen/contracts";
import { canAsk } from "../can-ask.js";
import type { Io } from "../io.js";
import type { ScreenName } from "./choose-screen.js";
import type { Screen } from "./screen.js";

const KEYS: ReadonlyMap<string, Approval> = new Map([
  ["o", "allow_once"],
  ["r", "allow_run"],
  ["d", "deny"],
]);
/** Nobody reads a question in less: what comes sooner was typed before it. */
const READING_MS = 200;

const SAID: Readonly<Record<Approval, string>> = { allow_once: "allowed, this once", allow_run: "allowed for this run", deny: "refused" };

/**
 * Asks whoever sits at the terminal, with one key; `null` where nobody does, and where the screen is for programs. A key
 * that means nothing is passed over: only a letter that was read agrees.
 */
export function terminalBroker(name: ScreenName, screen: Pick<Screen, "say" | "human">, io: Io): HumanBroker | null {
  if (screen.human !== undefined) return screen.human;
  const { readKey } = io;
  if (readKey === null || !canAsk(io) || (name !== "live" && name !== "plain")) return null;
  return {
    async ask({ agent, prompt }, signal) {
      screen.say("question", `${agent ?? "The run"} asks: ${prompt} [o] allow this once, [r] allow for this run, [d] refuse`);
      const askedAt = io.monotonic();
      for (let first = true; ; first = false) {
        // What comes as several letters at once was pasted, or is an arrow: not an answer.
        const key = (await readKey(signal)).toLowerCase();
        const reply = first && io.monotonic() - askedAt < READING_MS ? undefined : KEYS.get(key);
        screen.say("question", reply === undefined ? "press o, r or d" : SAID[reply]);
        if (reply !== undefined) return reply;
      }
    },
  };
}

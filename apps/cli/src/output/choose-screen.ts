import { nameRecord } from "@massgen/sdk";
import type { OutputRequest } from "../args/request.js";
import type { Io } from "../io.js";
import { createAutomationScreen } from "./automation-screen.js";
import { createEventScreen } from "./event-screen.js";
import { createPaint, wantsColour } from "./paint.js";
import type { Screen } from "./screen.js";
import { createSilentScreen } from "./silent-screen.js";

export type ScreenName = "live" | "tui" | NonNullable<OutputRequest["mode"]>;

/**
 * What was asked for; else the live screen where standard output is a terminal that can move its cursor. The full screen also
 * needs somebody who presses keys.
 */
export function chooseScreen(
  { mode, display }: OutputRequest,
  { out, env, stdinIsTerminal }: Pick<Io, "out" | "env" | "stdinIsTerminal">,
): ScreenName {
  if (mode !== null) return mode;
  if (!out.isTerminal || env["TERM"] === "dumb") return "plain";
  return display === "textual" && stdinIsTerminal ? "tui" : "live";
}

/** The screens that measure wide letters are loaded when they are wanted: beginning to measure takes 40 ms. */
export async function createScreen(name: ScreenName, io: Io): Promise<Screen> {
  const paint = createPaint(wantsColour(io.env, io.out.isTerminal));
  switch (name) {
    case "live": {
      const { createLiveScreen } = await import("./plain/live-screen.js");
      return createLiveScreen(io, paint);
    }
    case "tui": {
      const [{ createTuiScreen }, tui] = await Promise.all([import("./tui-screen.js"), import("@massgen/tui")]);
      const theme = wantsColour(io.env, io.out.isTerminal) ? themeOf(io.env["MASSGEN_THEME"]) : "none";
      return createTuiScreen(io, paint, { ...tui, theme });
    }
    case "plain": {
      const { createPlainScreen } = await import("./plain/plain-screen.js");
      return createPlainScreen({ out: io.out, err: io.err, paint });
    }
    case "silent":
      return createSilentScreen({ out: io.out, err: io.err });
    case "automation":
      return createAutomationScreen({ out: io.out, err: io.err });
    case "events":
      return createEventScreen({ out: io.out, err: io.err }, nameRecord);
  }
}

const THEMES = ["dark", "light", "contrast", "none"] as const;
const themeOf = (name: string | undefined): (typeof THEMES)[number] => THEMES.find((theme) => theme === name) ?? "dark";

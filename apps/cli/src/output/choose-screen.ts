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
 * What was asked for; else the whole terminal where there is one that can move its cursor and somebody who presses keys.
 * Plain lines for screen readers and in CI, where nobody looks on; lines with a live area where lines are wanted (`--debug`).
 */
export function chooseScreen(
  { mode, display, look, debug }: OutputRequest,
  { out, env, stdinIsTerminal }: Pick<Io, "out" | "env" | "stdinIsTerminal">,
): ScreenName {
  if (mode !== null) return mode;
  if (!out.isTerminal || env["TERM"] === "dumb") return "plain";
  if (display === undefined && (wantsPlainLines(env, look) || isOn(env["CI"]))) return "plain";
  return stdinIsTerminal && (display ?? (debug ? "rich" : "textual")) === "textual" ? "tui" : "live";
}

/** The variable wins: the file may be shared, the screen reader is not. */
const wantsPlainLines = (env: Io["env"], look: OutputRequest["look"]): boolean =>
  (env["MASSGEN_SCREEN_READER"] ?? "") === "" ? look?.screenReader === true : isOn(env["MASSGEN_SCREEN_READER"]);

const isOn = (value: string | undefined): boolean => value !== undefined && !["", "0", "false", "no", "off"].includes(value.toLowerCase());

/** The screens that measure wide letters are loaded when they are wanted: beginning to measure takes 40 ms. */
export async function createScreen(name: ScreenName, io: Io, look?: OutputRequest["look"]): Promise<Screen> {
  const paint = createPaint(wantsColour(io.env, io.out.isTerminal));
  switch (name) {
    case "live": {
      const { createLiveScreen } = await import("./plain/live-screen.js");
      return createLiveScreen(io, paint);
    }
    case "tui": {
      const [{ createTuiScreen }, tui] = await Promise.all([import("./tui-screen.js"), import("@massgen/tui")]);
      const { theme, fault } = chooseTheme(io, look);
      const panes = { timeline: look?.liveTimeline ?? true, agents: look?.showAgentCards ?? true };
      const screen = createTuiScreen(io, paint, { ...tui, theme, panes });
      if (fault !== null) screen.say("warning", fault);
      return screen;
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

/** `NO_COLOR` forbids colours; else `MASSGEN_THEME`, which knows this terminal, before the config, which others may share. */
export function chooseTheme(
  { env, out }: Pick<Io, "env" | "out">,
  look?: OutputRequest["look"],
): { readonly theme: (typeof THEMES)[number]; readonly fault: string | null } {
  const asked = env["MASSGEN_THEME"] ?? "";
  const known = THEMES.find((theme) => theme === asked);
  const fault = asked === "" || known !== undefined ? null : `MASSGEN_THEME is ${JSON.stringify(asked)}; it can be ${THEMES.join(", ")}.`;
  return { theme: wantsColour(env, out.isTerminal) ? (known ?? look?.theme ?? "dark") : "none", fault };
}

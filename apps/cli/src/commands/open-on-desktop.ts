import { spawn } from "node:child_process";
import { personalEnvironment } from "@massgen/exec";
import type { Io } from "../io.js";

/** The program that opens a folder or an address; `null` without a desktop. */
export function openerOf(platform: NodeJS.Platform, env: Io["env"]): string | null {
  if (platform === "darwin") return "open";
  if (platform === "win32") return "explorer";
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "xdg-open" : null;
}

/** Whether the program came up; it lives on without us. */
export const begin = (program: string, place: string, env: Io["env"]): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, [place], { detached: true, stdio: "ignore", env: personalEnvironment(env) });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });

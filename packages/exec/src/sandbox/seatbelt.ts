import { limited } from "../process/gate.js";
import { findToolchains } from "./plan-mounts.js";
import type { Sandbox, Walls } from "./sandbox.js";

export interface SeatbeltOptions {
  /** `/usr/bin/sandbox-exec`. */
  readonly program: string;
  readonly home: string;
  readonly hostHome: string;
}

/** macOS: a profile of the system's own sandbox. Processes are not held: what leaves its session is found, not trapped. */
export function createSeatbelt(options: SeatbeltOptions): Sandbox {
  return {
    kind: "seatbelt",
    report: (network) => ({
      kind: "seatbelt",
      program: "sandbox-exec",
      writes: "confined",
      reads: "confined",
      network,
      processes: "found",
      sentence: `Commands run in macOS's sandbox: they write only where the agent may, and read nothing of your home; network ${network === "none" ? "off" : "on"}.`,
    }),
    async prepare(command, walls) {
      const toolchains = findToolchains(command.env["PATH"] ?? "", options.hostHome);
      const { profile, parameters } = seatbeltProfile(walls, { toolchains, hostHome: options.hostHome });
      const argv = [options.program, ...parameters.flatMap(([name, value]) => ["-D", `${name}=${value}`]), "-p", profile];
      return { argv: [...argv, ...limited(command.argv, command.limits)], cwd: command.cwd, env: command.env, holdsItsTree: false };
    },
    async close() {},
  };
}

export interface SeatbeltProfile {
  readonly profile: string;
  /** Paths stand in parameters, so that none of them can be read as part of the profile. */
  readonly parameters: readonly (readonly [string, string])[];
}

/** Later rules win, so what is granted stands after what is denied around it, and what is hidden in it stands last. */
export function seatbeltProfile(
  walls: Walls,
  options: { readonly toolchains: readonly string[]; readonly hostHome: string },
): SeatbeltProfile {
  const parameters: [string, string][] = [];
  const rules: string[] = ["(version 1)", "(allow default)"];
  const rule = (verdict: "allow" | "deny", operations: string, paths: readonly string[]): void => {
    for (const path of paths) {
      const name = `P${parameters.length}`;
      parameters.push([name, path]);
      rules.push(`(${verdict} ${operations} (subpath (param "${name}")))`);
    }
  };
  const byDepth = (paths: readonly string[]): readonly string[] => [...paths].sort((a, b) => a.split("/").length - b.split("/").length);

  rules.push("(deny file-write*)", '(allow file-write* (subpath "/dev"))');
  rule("deny", "file-read*", [options.hostHome, "/Users", "/private/tmp", "/private/var/tmp", "/private/var/folders", "/Volumes"]);
  // Programs look at the folders above them; a name alone is no secret.
  rules.push("(allow file-read-metadata)");
  rule("allow", "file-read*", byDepth([...options.toolchains, ...walls.readable]));
  rule("allow", "file-read* file-write*", byDepth(walls.writable));
  rule("deny", "file-write*", byDepth([...walls.protected, ...walls.readable]));
  rule("deny", "file-read* file-write*", byDepth(walls.hidden));
  rule(
    "allow",
    "file-read* file-write*",
    byDepth(walls.writable.filter((path) => walls.hidden.some((hidden) => path.startsWith(`${hidden}/`)))),
  );
  if (walls.network === "none") rules.push("(deny network*)");
  return { profile: rules.join("\n"), parameters };
}

import { personalEnvironment } from "@massgen/exec";
import type { Io } from "../../io.js";

/** What `gh` may authenticate with. */
const TOKENS: readonly string[] = ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];

/** How `gh` is called: with the person's environment, but no key that is not its own. */
export const ghOf = ({ env, interrupt }: Pick<Io, "env" | "interrupt">): { readonly env: Io["env"]; readonly signal: AbortSignal } => ({
  env: personalEnvironment(env, TOKENS),
  signal: interrupt,
});

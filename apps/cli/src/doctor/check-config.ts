import { displayName, type Environment, resolveApiKey } from "@massgen/config";
import { MassgenError } from "@massgen/contracts";
import { type ResolvedTeam, whyUnsupported } from "@massgen/sdk/team";
import { issueTexts } from "../commands/config-issues.js";
import { type Check, note, ok, problem } from "./check.js";

/** The config a run would use. `named`: with `--config`; then it has to be there. */
export async function checkConfig(find: () => Promise<ResolvedTeam>, env: Environment, named: boolean): Promise<readonly Check[]> {
  let team: ResolvedTeam;
  try {
    team = await find();
  } catch (error) {
    if (!MassgenError.is(error)) throw error;
    if (error.code === "CONFIG_NOT_FOUND" && !named)
      return [note("Config", "none here", "Write one with massgen --quickstart, pick one with massgen --select, or use --model.")];
    return [problem("Config", error.message, error.hint || "See what there is with: massgen --list-examples")];
  }
  const { config, issues } = team.loaded;
  const file = team.path ?? "the config";
  const [fault, ...more] = issueTexts(issues, "error");
  if (config === null || fault !== undefined) {
    const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
    return [problem("Config", `${fault ?? `${file} is not valid`}${others}`, `See all with: massgen --validate ${file}`)];
  }
  const agents = config.agents.flatMap(({ id, backend }): readonly Check[] => {
    const why = whyUnsupported(backend.type);
    if (why !== null) return [problem(`Agent ${id}`, why.message, "See what runs today with: massgen --list-backends")];
    const { key, needed, variables } = resolveApiKey(backend, env);
    if (!needed || key) return [];
    return [
      problem(`Agent ${id}`, `no key for ${displayName(backend)}`, `Set ${variables.join(" or ")}, or store it with: massgen --setup`),
    ];
  });
  const warnings = issueTexts(issues, "warning").length;
  const size = config.agents.length === 1 ? "1 agent" : `${config.agents.length} agents`;
  const head = `${file}: ${size}`;
  return [
    warnings === 0 ? ok("Config", head) : note("Config", `${head}, ${warnings} warning(s)`, `See them with: massgen --validate ${file}`),
    ...agents,
  ];
}

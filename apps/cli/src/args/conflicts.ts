import type { Flag } from "./flags.js";
import type { Given } from "./program.js";

/** `usage`: wrong command line, exit 2. `config`: wrong use of a mode, exit 1. `note`: said on stderr, then ignored. */
export interface Conflict {
  readonly kind: "usage" | "config" | "note";
  readonly message: string;
}
export interface Surroundings {
  readonly stdinIsTerminal: boolean;
  /** The command word; absent or `null` for a bare question. */
  readonly command?: string | null;
}

type Name = Flag["name"];
type Rule = (given: Given, around: Surroundings) => Conflict | null;

const usage = (message: string): Conflict => ({ kind: "usage", message });
const has = (given: Given, name: Name): boolean => given.has(name);
const last = (given: Given, name: Name): string | number | true | undefined => given.get(name)?.at(-1);

const atMostOneOf =
  (...names: readonly Name[]): Rule =>
  (given) => {
    const both = names.filter((name) => given.has(name));
    return both.length > 1 ? usage(`${both.join(" and ")} exclude each other`) : null;
  };

const needs =
  (name: Name, ...one: readonly Name[]): Rule =>
  (given) =>
    has(given, name) && !one.some((other) => given.has(other)) ? usage(`${name} needs ${one.join(" or ")}`) : null;

const underDecomposition =
  (name: Name, harmless: string | null): Rule =>
  (given) =>
    has(given, name) && last(given, name) !== harmless && last(given, "--coordination-mode") === "decomposition"
      ? usage(`${name} does not go with --coordination-mode decomposition`)
      : null;

const quickstartAgent: Rule = (given, { stdinIsTerminal }) => {
  if (!has(given, "--quickstart-agent")) return null;
  const generating = [...given.keys()].find((name) => name.startsWith("--config-"));
  if (generating !== undefined) return usage(`--quickstart-agent does not go with ${generating}`);
  const unattended = has(given, "--headless") || !stdinIsTerminal;
  return has(given, "--quickstart") && unattended ? null : usage("--quickstart-agent needs --quickstart with --headless");
};

/** Combinations that make no sense (docs/spec/cli.md 4). The first that applies is reported. */
const rules: readonly Rule[] = [
  atMostOneOf("--config", "--select", "--backend"),
  underDecomposition("--single-agent", null),
  underDecomposition("--personas", "off"),
  atMostOneOf("--resume", "--config"),
  atMostOneOf("--resume", "--model"),
  atMostOneOf("--resume", "--backend"),
  atMostOneOf("--resume", "--base-url"),
  atMostOneOf("--resume", "--system-message"),
  atMostOneOf("--resume", "--orchestrator-timeout"),
  atMostOneOf("--resume", "--rate-limit"),
  atMostOneOf("--resume", "--no-logs"),
  atMostOneOf("--resume", "--record"),
  atMostOneOf("--review", "--automation"),
  atMostOneOf("--review", "--stream-events"),
  atMostOneOf("--review", "--dry-run"),
  atMostOneOf("--dry-run", "--resume"),
  atMostOneOf("--dry-run", "--validate"),
  atMostOneOf("--dry-run", "--continue"),
  atMostOneOf("--dry-run", "--session-id"),
  atMostOneOf("--dry-run", "--review"),
  (given) =>
    has(given, "--dry-run") && has(given, "--json") && (has(given, "--automation") || has(given, "--stream-events"))
      ? usage("--json of a dry run is one object: it does not go with --automation or --stream-events")
      : null,
  atMostOneOf("--record", "--no-logs"),
  atMostOneOf("--web", "--web-quickstart"),
  atMostOneOf(
    "--quickstart",
    "--setup",
    "--init",
    "--select",
    "--generate-config",
    "--setup-docker",
    "--setup-skills",
    "--resume",
    "--dry-run",
  ),
  quickstartAgent,
  ...["--quickstart", "--init", "--select", "--setup", "--generate-config"].flatMap((wizard) =>
    (["--model", "--backend", "--base-url"] as const).map((name) => atMostOneOf(wizard as Name, name)),
  ),
  atMostOneOf("--generate-config", "--config"),
  atMostOneOf("--setup", "--config"),
  atMostOneOf("--init", "--config"),
  needs("--headless", "--quickstart", "--setup", "--select"),
  ...(
    ["--config-agents", "--config-backend", "--config-model", "--config-agent-id", "--config-docker", "--config-context-path"] as const
  ).map((name) => needs(name, "--generate-config")),
  atMostOneOf("--continue", "--session-id"),
  atMostOneOf("--no-session-registry", "--continue"),
  atMostOneOf("--no-session-registry", "--session-id"),
  atMostOneOf("--resume", "--continue"),
  atMostOneOf("--resume", "--session-id"),
  atMostOneOf("--plan", "--spec", "--execute-plan", "--execute-spec", "--plan-and-execute"),
  (given) =>
    has(given, "--plan-and-execute") && last(given, "--broadcast") === "human"
      ? { kind: "config", message: "--plan-and-execute cannot ask a person: it does not go with --broadcast human" }
      : null,
  atMostOneOf("--eval-criteria", "--checklist-criteria-preset"),
  (given) => (has(given, "--step") && !has(given, "--session-dir") ? { kind: "config", message: "--step needs --session-dir" } : null),
  needs("--strict", "--validate"),
  needs("--schema-backend", "--show-schema"),
  needs("--with-examples", "--show-schema"),
  (given, around) =>
    // Of the commands, only those that can answer in JSON take the flag.
    around.command == null
      ? needs(
          "--json",
          "--validate",
          "--dry-run",
          "--list-examples",
          "--list-backends",
          "--list-models",
          "--list-sessions",
          "--show-schema",
        )(given, around)
      : null,
  atMostOneOf("--strict-validation", "--skip-validation"),
  (given) =>
    has(given, "--all") && !has(given, "--list-sessions") ? { kind: "note", message: "--all is ignored without --list-sessions" } : null,
];

const ofEvaluations: readonly Rule[] = [
  atMostOneOf("--config", "--backend"),
  atMostOneOf("--demo", "--config"),
  atMostOneOf("--demo", "--model"),
  atMostOneOf("--demo", "--backend"),
  atMostOneOf("--demo", "--base-url"),
  atMostOneOf("--automation", "--json"),
];

/** Rules of commands whose flags mean something else there. */
const rulesOf: Readonly<Record<string, readonly Rule[]>> = {
  compare: ofEvaluations,
  eval: [
    ...ofEvaluations,
    (given) => (has(given, "--dataset") || has(given, "--demo") ? null : usage("eval needs --dataset, or --demo")),
    needs("--retry-failed", "--results"),
    needs("--judge-timeout", "--judge"),
    needs("--judge-env", "--judge"),
  ],
};

export function findConflicts(given: Given, around: Surroundings): readonly Conflict[] {
  return (rulesOf[around.command ?? ""] ?? rules).map((rule) => rule(given, around)).filter((conflict) => conflict !== null);
}

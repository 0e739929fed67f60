import type { Reporter } from "./reporter.js";
import { isSecretPath } from "./secrets.js";
import { type MapNode, type ScalarNode, walk } from "./tree.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is not set, told later: only where the value has a meaning. */
export interface UnsetVariable {
  readonly node: ScalarNode;
  readonly name: string;
}

export interface Expansion {
  readonly unset: readonly UnsetVariable[];
  /** Values that came out of the environment, for the redaction of logs. */
  readonly secrets: readonly string[];
}

/** `$${NAME}` for a literal, `${NAME}`, `${NAME:-default}`. A lone `$NAME` means nothing. */
const variable = /\$(\$\{[^}]*\})|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
/** Shorter values are ordinary words (`true`, `prod`); taking those out of a log would ruin it. */
const SECRET_LENGTH = 8;

/**
 * Puts the environment into every text of the tree, keys excepted. An empty variable counts as unset.
 * What is not set stays as written, and so does `${cwd}`, which stands for the workspace of an agent.
 */
export function expandVariables(root: MapNode, env: Environment): Expansion {
  const unset: UnsetVariable[] = [];
  const secrets = new Set<string>();
  walk(root, (node) => {
    if (node.kind !== "scalar" || typeof node.value !== "string" || !node.value.includes("${")) return;
    node.value = node.value.replace(
      variable,
      (all, literal: string | undefined, name: string | undefined, fallback: string | undefined) => {
        if (literal !== undefined) return literal;
        if (name === undefined || name === "cwd") return all;
        const found = variableIn(env, name);
        if (found !== null) {
          if (found.length >= (isSecretPath(node) ? 1 : SECRET_LENGTH)) secrets.add(found);
          return found;
        }
        if (fallback !== undefined) return fallback;
        unset.push({ node, name });
        return all;
      },
    );
  });
  return { unset, secrets: [...secrets] };
}

/** The value of a variable; an empty one is `null` like a missing one. */
export function variableIn(env: Environment, name: string): string | null {
  const found = Object.hasOwn(env, name) ? env[name] : undefined;
  return found === undefined || found === "" ? null : found;
}

export function reportUnset({ node, name }: UnsetVariable, reporter: Reporter): void {
  if (node.parent !== null && node.step === "api_key") {
    reporter.report("CFG111", node, `environment variable '${name}' is not set, so there is no API key`, {
      hint: `Set ${name}, or put it in a .env file.`,
    });
    return;
  }
  reporter.report("CFG110", node, `environment variable '${name}' is not set; the text stays as it is`, {
    hint: `Set it, or give a default: \${${name}:-…}`,
  });
}

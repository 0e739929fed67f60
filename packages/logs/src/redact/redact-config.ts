import { isSecretFlag, isSecretName, secretsInConfig } from "./find-secrets.js";
import { createRedactor, REDACTED } from "./redactor.js";

/**
 * A copy of a configuration that may be shown and kept: whatever stands where secrets stand is replaced, however short it
 * is, and the same values are removed from everywhere else.
 */
export function redactConfig(config: unknown): unknown {
  const redactor = createRedactor(secretsInConfig(config));
  return redactor.value(blanked(config));
}

function blanked(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown, place) => (isSecretFlag(value[place - 1]) && typeof item === "string" ? REDACTED : blanked(item)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, isSecretName(name) ? blankedSecret(item) : blanked(item)]));
}

/** The structure under a secret name stays; `${VARIABLE}` stays too, it says where the secret is and not what. */
function blankedSecret(value: unknown): unknown {
  if (typeof value === "string") return value === "" || /^\$\{?\w+\}?$/.test(value) ? value : REDACTED;
  if (typeof value === "number") return REDACTED;
  if (Array.isArray(value)) return value.map(blankedSecret);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, blankedSecret(item)]));
}

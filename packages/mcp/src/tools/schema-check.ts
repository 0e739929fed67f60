import { createContext, Script } from "node:vm";
import type { JsonSchema, JsonValue } from "@massgen/contracts";
import type { ErrorObject, ValidateFunction } from "ajv";

/** Why a value does not fit a schema; `null` when it does. */
export type SchemaCheck = (value: JsonValue) => string | null;

/** Schema and value may both come from a stranger, and together they can take for ever. */
const LIMIT_MS = 250;
const MOST_FAULTS = 5;
/** What can take longer than reading the value once. */
const COSTLY =
  /"(?:\$(?:dynamic)?ref|anyOf|oneOf|allOf|not|if|pattern|patternProperties|propertyNames|dependentSchemas|contains|uniqueItems|unevaluated\w+)"/i;

/**
 * Compiles a schema of a server's (docs/spec/tools.md 5.6); `whole` is what a sentence calls the value. A schema that is no
 * use, because it refers to another document, is none, or takes too long, lets everything through: its server looks at
 * what it gets itself.
 */
export async function compileSchema(schema: JsonSchema, whole: "they" | "it"): Promise<SchemaCheck> {
  // A module of CommonJS has only its default where it was bundled.
  const { Ajv2020 } = (await import("ajv/dist/2020.js")).default;
  // Names a schema gives itself mean nothing here, another dialect is read as this one, and nobody waits for a verdict.
  const { $schema: _dialect, $id: _id, $async: _later, ...rest } = schema as Readonly<Record<string, unknown>>;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: true, logger: false });
  const isCostly = COSTLY.test(JSON.stringify(rest));
  const within = <T>(work: () => T): T | null => (isCostly ? limited(work) : work());
  let validate: ValidateFunction | null;
  try {
    validate = within(() => ajv.compile(rest));
  } catch {
    validate = null;
  }
  const check = validate;
  if (check === null) return () => null;
  return (value) => {
    try {
      return within(() => check(value)) === false ? faultsIn(check.errors ?? [], whole) : null;
    } catch {
      return null;
    }
  };
}

const context = createContext(Object.create(null) as { work?: () => unknown });
const run = new Script("work()");

/** `null` when it takes too long. */
function limited<T>(work: () => T): T | null {
  try {
    context["work"] = work;
    return run.runInContext(context, { timeout: LIMIT_MS }) as T;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
    throw error;
  }
}

function faultsIn(errors: readonly ErrorObject[], whole: string): string {
  const faults = [...new Set(errors.filter(({ keyword }) => keyword !== "if").map((error) => faultOf(error, whole)))];
  const more = faults.length - MOST_FAULTS;
  return `${faults.slice(0, MOST_FAULTS).join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function faultOf({ instancePath, keyword, params, message = "is not as it should be" }: ErrorObject, whole: string): string {
  const place = instancePath === "" ? whole : instancePath.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
  const { additionalProperty, allowedValues, allowedValue } = params as Readonly<Record<string, unknown>>;
  if (keyword === "additionalProperties") return `${place} must not have ${JSON.stringify(additionalProperty)}`;
  if (keyword === "enum" && Array.isArray(allowedValues)) return `${place} must be one of ${shown(allowedValues)}`;
  if (keyword === "const") return `${place} must be ${JSON.stringify(allowedValue)}`;
  return `${place} ${message}`;
}

const shown = (values: readonly unknown[]): string =>
  values
    .slice(0, 20)
    .map((value) => JSON.stringify(value))
    .join(", ") + (values.length > 20 ? ", …" : "");

import type { JsonValue } from "@massgen/contracts";
import { asArray, asObject } from "./json-access.js";
import type { Violation } from "./wire.js";

const COMBINATORS = ["oneOf", "anyOf", "allOf"] as const;

/** What vendors refuse in the input schema of a tool, whatever their API. `where`: how to name the schema in a report. */
export function lintToolSchema(schema: JsonValue, where: string): readonly Violation[] {
  const root = asObject(schema);
  if (root === null) return [{ rule: "tool schema is not an object", where }];
  const violations: Violation[] = [];
  if (root["type"] !== "object") violations.push({ rule: "tool schema does not have type object at its root", where });
  if (asObject(root["properties"]) === null) violations.push({ rule: "object schema without properties", where });
  for (const key of [...COMBINATORS, "enum", "not"])
    if (key in root) violations.push({ rule: "combinator at the root of a tool schema", where: `${where}.${key}` });
  return [...violations, ...lintNode(root, where)];
}

function lintNode(schema: JsonValue, where: string): readonly Violation[] {
  // `true` and `false` are schemas too.
  if (typeof schema === "boolean") return [];
  const node = asObject(schema);
  if (node === null) return [{ rule: "schema is not an object", where }];
  const violations: Violation[] = [];
  const types = Array.isArray(node["type"]) ? node["type"] : [node["type"]];
  if (types.includes("array") && node["items"] === undefined && node["prefixItems"] === undefined)
    violations.push({ rule: "array schema without items", where });
  if (node["enum"] !== undefined && asArray(node["enum"]).length === 0) violations.push({ rule: "empty enum", where });
  for (const [key, child] of Object.entries(asObject(node["properties"]) ?? {})) violations.push(...lintNode(child, `${where}.${key}`));
  if (asObject(node["items"]) !== null) violations.push(...lintNode(node["items"]!, `${where}[]`));
  for (const key of COMBINATORS)
    for (const [index, child] of asArray(node[key]).entries()) violations.push(...lintNode(child, `${where}.${key}[${index}]`));
  return violations;
}

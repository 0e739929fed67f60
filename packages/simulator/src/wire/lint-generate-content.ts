import type { JsonValue } from "@massgen/contracts";
import { asArray, asObject, asText } from "./json-access.js";
import { declaredFunctions, modelOf, partsOf } from "./read-generate-content.js";
import type { JsonObject, Violation } from "./wire.js";

const NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;
/** Models that refuse a call without the signature it came with. */
const SIGNING = /^gemini-(?:[3-9]|\d\d)/;
/** Fields of a part that are not what it says. */
const BESIDE = new Set(["thought", "thoughtSignature", "partMetadata", "mediaResolution", "videoMetadata"]);
/** What Google's own dialect of schemas has; anything else in `parameters` is an unknown name. */
const DIALECT = new Set(
  `type format title description nullable enum default example items minItems maxItems properties required minProperties
  maxProperties propertyOrdering anyOf minimum maximum minLength maxLength pattern`.split(/\s+/),
);

/** What Google answers with a 400. Empty when the request is in order. */
export function lintGenerateContent(body: JsonObject, path: string): readonly Violation[] {
  return [...lintTools(body), ...lintContents(asArray(body["contents"]), SIGNING.test(modelOf(path)))];
}

function lintTools(body: JsonObject): readonly Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, where: string): void => void violations.push({ rule, where });
  if (body["tools"] !== undefined && asArray(body["tools"]).length === 0) say("empty tools", "tools");
  const names = new Set<JsonValue>();
  for (const [index, declaration] of declaredFunctions(body).entries()) {
    const where = `functionDeclarations[${index}]`;
    const name = declaration["name"] ?? null;
    if (typeof name !== "string" || !NAME.test(name)) say("tool name the vendor refuses", `${where}: ${shown(name)}`);
    if (names.has(name)) say("tool name is not unique", `${where}: ${shown(name)}`);
    names.add(name);
    const { parameters, parametersJsonSchema: jsonSchema } = declaration;
    if (parameters !== undefined && jsonSchema !== undefined) say("parameters and parametersJsonSchema together", where);
    if (parameters !== undefined) violations.push(...lintDialect(parameters, `${where}.parameters`));
    if (jsonSchema !== undefined) violations.push(...lintJsonSchema(jsonSchema, `${where}.parametersJsonSchema`));
  }
  const calling = asObject(asObject(body["toolConfig"])?.["functionCallingConfig"]) ?? {};
  for (const allowed of asArray(calling["allowedFunctionNames"]))
    if (!names.has(allowed)) say("allowedFunctionNames names no function", `toolConfig: ${shown(allowed)}`);
  return violations;
}

/** The dialect of `parameters`, in which unknown keywords fail the request. */
function lintDialect(value: JsonValue, where: string): readonly Violation[] {
  const schema = asObject(value);
  if (schema === null) return [{ rule: "schema is not an object", where }];
  const violations: Violation[] = [];
  const say = (rule: string, at = where): void => void violations.push({ rule, where: at });
  for (const key of Object.keys(schema)) if (!DIALECT.has(key)) say("schema keyword the vendor refuses", `${where}.${key}`);
  const properties = asObject(schema["properties"]);
  if (Array.isArray(schema["type"])) say("type is a list");
  if (schema["enum"] !== undefined && asText(schema["type"]).toLowerCase() !== "string") say("enum of something that is no text");
  if (properties !== null && Object.keys(properties).length === 0) say("object schema with empty properties");
  for (const name of asArray(schema["required"]))
    if (!Object.hasOwn(properties ?? {}, asText(name))) say("required names no property", `${where}: ${shown(name)}`);
  return [...violations, ...lintChoices(schema, where), ...eachInside(schema, where, lintDialect)];
}

function lintJsonSchema(value: JsonValue, where: string): readonly Violation[] {
  const schema = asObject(value);
  // `true` and `false` are schemas too.
  if (schema === null) return typeof value === "boolean" ? [] : [{ rule: "schema is not an object", where }];
  return [...lintChoices(schema, where), ...eachInside(schema, where, lintJsonSchema)];
}

function lintChoices(schema: JsonObject, where: string): readonly Violation[] {
  const violations: Violation[] = [];
  const isChoice = (choice: JsonValue): boolean => (typeof choice === "string" && choice !== "") || typeof choice === "number";
  if (!asArray(schema["enum"]).every(isChoice)) violations.push({ rule: "enum of booleans, nulls or empty texts", where });
  const isList = [schema["type"]].flat().some((type) => asText(type).toLowerCase() === "array");
  if (isList && schema["items"] === undefined && schema["prefixItems"] === undefined)
    violations.push({ rule: "array schema without items", where });
  return violations;
}

function eachInside(
  schema: JsonObject,
  where: string,
  lint: (value: JsonValue, where: string) => readonly Violation[],
): readonly Violation[] {
  return [
    ...Object.entries(asObject(schema["properties"]) ?? {}).flatMap(([key, child]) => lint(child, `${where}.${key}`)),
    ...(schema["items"] === undefined ? [] : lint(schema["items"], `${where}[]`)),
    ...asArray(schema["anyOf"]).flatMap((child, index) => lint(child, `${where}.anyOf[${index}]`)),
  ];
}

function lintContents(contents: readonly JsonValue[], demandsSignatures: boolean): readonly Violation[] {
  const violations: Violation[] = contents.length === 0 ? [{ rule: "no contents", where: "contents" }] : [];
  /** What the user said last begins the turn in which signatures are looked at. */
  const turnStart = contents.findLastIndex(
    (content) => asObject(content)?.["role"] === "user" && partsOf(content).some((part) => part["functionResponse"] === undefined),
  );
  for (const [index, content] of contents.entries()) {
    const where = `contents[${index}]`;
    const say = (rule: string, found = ""): void => void violations.push({ rule, where: found === "" ? where : `${where}: ${found}` });
    const role = asObject(content)?.["role"];
    const parts = partsOf(content);
    if (role !== "user" && role !== "model") say("unknown role", shown(role));
    if (parts.length === 0) say("content without parts");
    if (parts.some((part) => Object.keys(part).every((key) => BESIDE.has(key)))) say("part without data");
    const calls = callsIn(parts, "functionCall");
    if (calls.length > 0) {
      if (role !== "model") say("call that is not the model's");
      const next = partsOf(contents[index + 1]);
      const answers = callsIn(next, "functionResponse");
      if (answers.length !== calls.length)
        say("number of function responses differs from number of function calls", `${answers.length} for ${calls.length}`);
      for (const [place, call] of calls.entries())
        if (answers[place] !== undefined && call["id"] !== answers[place]["id"])
          say("function response without the id of its call", shown(call["id"]));
      const first = parts.find((part) => part["functionCall"] !== undefined);
      if (demandsSignatures && index > turnStart && first?.["thoughtSignature"] === undefined)
        say("function call is missing a thought_signature", shown(calls[0]?.["name"]));
    }
    const asked = callsIn(partsOf(contents[index - 1]), "functionCall");
    if (callsIn(parts, "functionResponse").length > 0 && asked.length === 0) say("function response without its call");
  }
  return violations;
}

function callsIn(parts: readonly JsonObject[], field: "functionCall" | "functionResponse"): readonly JsonObject[] {
  return parts.map((part) => asObject(part[field])).filter((fields) => fields !== null);
}

const shown = (value: JsonValue | undefined): string => (JSON.stringify(value) ?? "nothing").slice(0, 80);

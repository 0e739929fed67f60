/** What OpenAI refuses in a request to its Responses API; each broken rule as one line. */
// biome-ignore lint/suspicious/noExplicitAny: it reads whatever was sent.
export function brokenRules(body: any): readonly string[] {
  return [...textRules(body, "body"), ...toolRules(body.tools), ...inputRules(body)];
}

const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function textRules(value: unknown, at: string): readonly string[] {
  if (typeof value === "string") return /\p{Surrogate}|\0/u.test(value) ? [`${at}: half of a character`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textRules(inner, `${at}.${key}`));
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function toolRules(tools: any): readonly string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools) || tools.length === 0) return ["tools: an empty list"];
  const functions = tools.filter((tool) => tool.type === "function");
  const names = functions.map((tool) => tool.name);
  return [
    ...names.filter((name) => !LEGAL_NAME.test(name ?? "")).map((name) => `tool ${name}: no legal name`),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `tool ${name}: twice`),
    ...functions.flatMap((tool) => rootRules(tool.parameters, tool.name)),
    ...functions.filter((tool) => "function" in tool).map((tool) => `tool ${tool.name}: nested as in Chat Completions`),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function rootRules(schema: any, at: string): readonly string[] {
  const forbidden = ["anyOf", "oneOf", "allOf", "enum", "not"].filter((key) => key in schema).map((key) => `${at}: ${key} at the root`);
  return [
    ...(schema.type === "object" ? [] : [`${at}: root is no object`]),
    ...(schema.properties ? [] : [`${at}: root without properties`]),
    ...forbidden,
    ...schemaRules(schema, at),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function schemaRules(schema: any, at: string): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [`${at}: no schema`];
  const isArray = [schema.type].flat().includes("array");
  const inner = [
    ...Object.entries(schema.properties ?? {}),
    ...["anyOf", "oneOf", "allOf"].flatMap((key) => Object.entries(schema[key] ?? {})),
  ];
  return [
    ...(isArray && !schema.items && !schema.prefixItems ? [`${at}: array without items`] : []),
    ...(schema.items ? schemaRules(schema.items, `${at}[]`) : []),
    ...inner.flatMap(([key, value]) => schemaRules(value, `${at}.${key}`)),
  ];
}

const FOLLOWS_REASONING = /^(?:reasoning|message|.*_call)$/;

// biome-ignore lint/suspicious/noExplicitAny: see above.
function inputRules(body: any): readonly string[] {
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  const items: readonly any[] = Array.isArray(body.input) ? body.input : [];
  const calls = items.filter((item) => item.type === "function_call");
  const outputs = items.filter((item) => item.type === "function_call_output");
  const broken = items.length === 0 ? ["input: empty"] : [];
  if (new Set(calls.map((call) => call.call_id)).size !== calls.length) broken.push("a call_id twice");
  for (const call of calls) {
    const results = outputs.filter((output) => output.call_id === call.call_id);
    if (results.length !== 1) broken.push(`${call.call_id}: ${results.length} results`);
    if (!call.call_id || !LEGAL_NAME.test(call.name ?? "")) broken.push(`${call.call_id}: without id or legal name`);
    if (!isJsonObject(call.arguments)) broken.push(`${call.call_id}: arguments are no JSON object`);
  }
  for (const output of outputs) {
    const call = items.findIndex((item) => item.type === "function_call" && item.call_id === output.call_id);
    if (call === -1 || call > items.indexOf(output)) broken.push(`${output.call_id}: a result without its call`);
  }
  for (const [index, item] of items.entries()) {
    if (item.type !== "reasoning") continue;
    const next = items[index + 1];
    if (next === undefined || !(FOLLOWS_REASONING.test(next.type ?? "") || next.role === "assistant"))
      broken.push(`${item.id}: reasoning without the item that followed it`);
    if (body.store === false && !item.encrypted_content) broken.push(`${item.id}: reasoning that nobody can read`);
  }
  return broken;
}

function isJsonObject(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

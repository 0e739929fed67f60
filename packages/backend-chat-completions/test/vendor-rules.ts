/** What strict vendors of this API refuse in a request; each broken rule as one line. */
// biome-ignore lint/suspicious/noExplicitAny: it reads whatever was sent.
export function brokenRules(body: any): readonly string[] {
  return [...textRules(body, "body"), ...toolRules(body.tools), ...messageRules(body.messages ?? [])];
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
  const names = tools.map((tool) => tool.function?.name);
  return [
    ...names.filter((name) => !LEGAL_NAME.test(name ?? "")).map((name) => `tool ${name}: no legal name`),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `tool ${name}: twice`),
    ...tools.flatMap((tool) => rootRules(tool.function.parameters, tool.function.name)),
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

// biome-ignore lint/suspicious/noExplicitAny: see above.
function messageRules(messages: readonly any[]): readonly string[] {
  const broken: string[] = [];
  const ids: string[] = [];
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (message.role !== "tool" && open.size > 0) broken.push(`${at}: calls without a result: ${[...open].join()}`);
    if (message.role !== "tool") open = new Set();
    if (message.role === "tool" && !open.delete(message.tool_call_id)) broken.push(`${at}: a result without its call`);
    if (message.role !== "assistant") continue;
    const calls = message.tool_calls ?? [];
    if (message.tool_calls?.length === 0) broken.push(`${at}: an empty list of calls`);
    if (calls.length === 0 && !message.content) broken.push(`${at}: neither content nor calls`);
    for (const call of calls) {
      open.add(call.id);
      ids.push(call.id);
      if (!call.id || !LEGAL_NAME.test(call.function?.name ?? "")) broken.push(`${at}: a call without id or legal name`);
      if (!isJsonObject(call.function?.arguments)) broken.push(`${at}: arguments are no JSON object`);
    }
  }
  if (open.size > 0) broken.push(`calls without a result: ${[...open].join()}`);
  if (new Set(ids).size !== ids.length) broken.push("a call id twice");
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

/** What this vendor refuses in a request; each broken rule as one line. */
// biome-ignore lint/suspicious/noExplicitAny: it reads whatever was sent.
export function brokenRules(body: any): readonly string[] {
  return [
    ...textRules(body, "body"),
    ...fieldRules(body),
    ...toolRules(body.tools),
    ...messageRules(body.messages ?? []),
    ...markRules(body),
  ];
}

function textRules(value: unknown, at: string): readonly string[] {
  if (typeof value === "string") return /\p{Surrogate}|\0/u.test(value) ? [`${at}: half of a character`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textRules(inner, `${at}.${key}`));
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function fieldRules(body: any): readonly string[] {
  const thinking = body.thinking ?? { type: "disabled" };
  const forces = body.tool_choice?.type === "any" || body.tool_choice?.type === "tool";
  return [
    ...(Number.isInteger(body.max_tokens) ? [] : ["max_tokens missing"]),
    ...(thinking.type !== "disabled" && forces ? ["a forced tool while the model thinks"] : []),
    ...(thinking.type === "enabled" && !(thinking.budget_tokens >= 1024 && thinking.budget_tokens < body.max_tokens)
      ? ["no legal budget"]
      : []),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function toolRules(tools: any): readonly string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools) || tools.length === 0) return ["tools: an empty list"];
  const names = tools.map((tool) => tool.name);
  const own = tools.filter((tool) => tool.type === undefined || tool.type === "custom");
  return [
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `tool ${name}: twice`),
    ...own.filter(({ name }) => !/^[a-zA-Z0-9_-]{1,128}$/.test(name ?? "")).map(({ name }) => `tool ${name}: no legal name`),
    ...own.flatMap(({ name, input_schema: schema }) => [
      ...(schema?.type === "object" ? [] : [`${name}: root is no object`]),
      ...["anyOf", "oneOf", "allOf"].filter((key) => key in (schema ?? {})).map((key) => `${name}: ${key} at the root`),
      ...schemaRules(schema, name),
    ]),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function schemaRules(schema: any, at: string): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [`${at}: no schema`];
  const isArray = [schema.type].flat().includes("array");
  const properties = Object.entries(schema.properties ?? {});
  const inner = [...properties, ...["anyOf", "oneOf", "allOf"].flatMap((key) => Object.entries(schema[key] ?? {}))];
  return [
    ...properties.filter(([key]) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)).map(([key]) => `${at}.${key}: no legal property`),
    ...(isArray && !schema.items && !schema.prefixItems ? [`${at}: array without items`] : []),
    ...(schema.items ? schemaRules(schema.items, `${at}[]`) : []),
    ...inner.flatMap(([key, value]) => schemaRules(value, `${at}.${key}`)),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
type Blocks = readonly any[];
// biome-ignore lint/suspicious/noExplicitAny: see above.
const blocksOf = (message: any): Blocks =>
  typeof message?.content === "string" ? [{ type: "text", text: message.content }] : (message?.content ?? []);

// biome-ignore lint/suspicious/noExplicitAny: see above.
function messageRules(messages: readonly any[]): readonly string[] {
  const broken: string[] = messages[0]?.role === "user" ? [] : ["the first message is not the user's"];
  const ids: string[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    const blocks = blocksOf(message);
    if (message.role !== "user" && message.role !== "assistant") broken.push(`${at}: role ${message.role}`);
    if (message.role === messages[index - 1]?.role) broken.push(`${at}: the role of the message before`);
    if (blocks.length === 0) broken.push(`${at}: nothing in it`);
    broken.push(...blocks.flatMap((block) => blockRules(block, blocksOf(messages[index - 1]), at)));
    ids.push(...blocks.filter((block) => block.type === "tool_use").map((block) => block.id));
    if (message.role === "assistant") broken.push(...answerRules(blocks, blocksOf(messages[index + 1]), at));
    const last = blocks.at(-1);
    if (index === messages.length - 1 && message.role === "assistant" && last?.type === "text" && /\s$/.test(last.text))
      broken.push(`${at}: ends in white space`);
  }
  if (new Set(ids).size !== ids.length) broken.push("a call id twice");
  return broken;
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function blockRules(block: any, before: Blocks, at: string): readonly string[] {
  if (block.type === "text") return /\S/.test(block.text ?? "") ? [] : [`${at}: blank text`];
  if (block.type === "thinking") return block.signature ? [] : [`${at}: a thought without signature`];
  if (block.type === "tool_use")
    return [
      ...(/^[a-zA-Z0-9_-]+$/.test(block.id ?? "") ? [] : [`${at}: no legal id ${block.id}`]),
      ...(typeof block.input === "object" && block.input !== null && !Array.isArray(block.input) ? [] : [`${at}: input is no object`]),
    ];
  if (block.type !== "tool_result") return [];
  const parts = Array.isArray(block.content) ? block.content : [];
  return [
    ...(before.some((call) => call.type === "tool_use" && call.id === block.tool_use_id) ? [] : [`${at}: a result without its call`]),
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    ...(parts.some((part: any) => part.type === "text" && !/\S/.test(part.text)) ? [`${at}: blank text in a result`] : []),
  ];
}

function answerRules(blocks: Blocks, next: Blocks, at: string): readonly string[] {
  const calls = blocks.filter((block) => block.type === "tool_use");
  const missing = calls.filter(({ id }) => !next.some((block) => block.type === "tool_result" && block.tool_use_id === id));
  const firstOther = next.findIndex((block) => block.type !== "tool_result");
  const lastResult = next.findLastIndex((block) => block.type === "tool_result");
  return [
    ...missing.map(({ id }) => `${at}: no result of ${id}`),
    ...(calls.length > 0 && firstOther >= 0 && lastResult > firstOther ? [`${at}: a result behind other content`] : []),
  ];
}

/** Where the marks for the prompt cache stand. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export function marksOf(body: any): readonly string[] {
  const marked = (blocks: Blocks, at: string): readonly string[] =>
    [...blocks.entries()].flatMap(([index, block]) => (block.cache_control === undefined ? [] : [`${at}[${index}]`]));
  return [
    ...marked(body.tools ?? [], "tools"),
    ...marked(Array.isArray(body.system) ? body.system : [], "system"),
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    ...(body.messages ?? []).flatMap((message: any, index: number) => marked(blocksOf(message), `messages[${index}]`)),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function markRules(body: any): readonly string[] {
  const marks = marksOf(body);
  return marks.length > 4 ? [`more than four cache marks: ${marks.join(", ")}`] : [];
}

/** What Google refuses in a request; each broken rule as one line. */
// biome-ignore lint/suspicious/noExplicitAny: it reads whatever was sent.
export function brokenRules(body: any): readonly string[] {
  return [...textRules(body, "body"), ...toolRules(body.tools), ...contentRules(body.contents ?? [])];
}

const LEGAL_NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;

function textRules(value: unknown, at: string): readonly string[] {
  if (typeof value === "string") return /\p{Surrogate}|\0/u.test(value) ? [`${at}: half of a character`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textRules(inner, `${at}.${key}`));
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function toolRules(tools: any): readonly string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools) || tools.length === 0) return ["tools: an empty list"];
  const declared = tools.flatMap((tool) => tool.functionDeclarations ?? []);
  const names = declared.map(({ name }) => name);
  return [
    ...names.filter((name) => !LEGAL_NAME.test(name ?? "")).map((name) => `tool ${name}: no legal name`),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `tool ${name}: twice`),
    ...declared.filter((tool) => "parameters" in tool).map(({ name }) => `tool ${name}: Google's own dialect of schemas`),
    ...declared.flatMap(({ name, parametersJsonSchema }) =>
      parametersJsonSchema === undefined ? [] : schemaRules(parametersJsonSchema, name),
    ),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function schemaRules(schema: any, at: string): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const refused = (schema.enum ?? []).filter(
    (choice: unknown) => choice === "" || (typeof choice !== "string" && typeof choice !== "number"),
  );
  const inner = [
    ...Object.entries(schema.properties ?? {}),
    ...["anyOf", "oneOf", "allOf"].flatMap((key) => Object.entries(schema[key] ?? {})),
  ];
  return [
    ...refused.map((choice: unknown) => `${at}: ${JSON.stringify(choice)} in an enum`),
    ...("$ref" in schema && !("properties" in schema) && typeof schema.$ref === "string" ? [`${at}: a reference`] : []),
    ...([schema.type].flat().includes("array") && !schema.items && !schema.prefixItems ? [`${at}: array without items`] : []),
    ...(schema.items ? schemaRules(schema.items, `${at}[]`) : []),
    ...inner.flatMap(([key, value]) => schemaRules(value, `${at}.${key}`)),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function contentRules(contents: readonly any[]): readonly string[] {
  const broken: string[] = contents.length === 0 ? ["contents: empty"] : [];
  for (const [index, { role, parts = [] }] of contents.entries()) {
    const at = `contents[${index}]`;
    if (role !== "user" && role !== "model") broken.push(`${at}: role ${role}`);
    if (parts.length === 0) broken.push(`${at}: no parts`);
    for (const part of parts) {
      if (!Object.keys(part).some((key) => key !== "thought" && key !== "thoughtSignature")) broken.push(`${at}: a part without data`);
    }
    const calls = parts.flatMap((part: { functionCall?: object }) => part.functionCall ?? []);
    const next = contents[index + 1]?.parts ?? [];
    const answers = next.flatMap((part: { functionResponse?: object }) => part.functionResponse ?? []);
    if (calls.length > 0 && answers.length !== calls.length) broken.push(`${at}: ${answers.length} responses to ${calls.length} calls`);
    if (calls.length > 0 && answers.length !== next.length) broken.push(`${at}: something else beside the responses`);
    for (const [position, call] of calls.entries()) {
      const answer = answers[position];
      if (call.id !== answer?.id || call.name !== answer?.name) broken.push(`${at}: response ${position} does not name its call`);
    }
    if (calls.length > 0 && index > 0 && contents[index - 1].role === "model") broken.push(`${at}: a call behind the model's own words`);
  }
  return broken;
}

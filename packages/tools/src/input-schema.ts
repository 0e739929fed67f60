import type { JsonSchema, JsonValue } from "@massgen/contracts";
import { z } from "zod";

/** What a model is told about a tool's arguments: the JSON Schema of a zod schema. Throws where JSON has no such type. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      // zod writes the limits of safe integers on every integer; they tell a model nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  // Without functions and undefined, which zod's type allows and its output never has.
  return JSON.parse(JSON.stringify(rest)) as JsonSchema;
}

export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: string };

/** The arguments of a call as the schema gives them, or one line per problem: `edits[1].new_string: …`. */
export async function checkInput<T>(schema: z.ZodType<T>, input: JsonValue): Promise<Checked<T>> {
  const bad = pollutingKey(input, "");
  if (bad !== null) return { ok: false, problems: `- ${bad}: this name is not allowed` };
  const result = await schema.safeParseAsync(input);
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, problems: result.error.issues.map(({ path, message }) => `- ${pathText(path)}${message}`).join("\n") };
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`)).join("");
  return text === "" ? "" : `${text}: `;
}

const POLLUTING: readonly string[] = ["__proto__", "constructor", "prototype"];

/** Where the first key stands that could reach into the prototypes of objects; `null` when there is none. */
export function pollutingKey(value: JsonValue, at: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  for (const [key, child] of Object.entries(value)) {
    const here = at === "" ? key : `${at}.${key}`;
    if (!Array.isArray(value) && POLLUTING.includes(key)) return here;
    const found = pollutingKey(child as JsonValue, here);
    if (found !== null) return found;
  }
  return null;
}

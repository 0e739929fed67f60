import type { MediaPart, TextPart, ToolOutput } from "@massgen/contracts";
import { visibleText } from "../one-line.js";
import { isRecord } from "../tools/read-tool.js";

export interface ResultRules {
  /** What the model can take in: `image`, `audio`, … */
  readonly input: readonly string[];
  /** Keeps bytes in a file of the agent's; gives its path as the agent knows it. */
  save(name: string, bytes: Uint8Array): Promise<string | null>;
}

/** Of one picture or sound that goes to the model, and how many of them a result may have. */
const LARGEST_MEDIA_BYTES = 5 * 1024 * 1024;
const MOST_MEDIA = 8;

type ResultPart = TextPart | MediaPart;

/**
 * What a server gave back, every block in its order: texts as they are, pictures and sounds for models that take them in,
 * everything else as a file or a line that says what it was. Base64 never becomes text.
 */
export async function readResult(result: unknown, rules: ResultRules): Promise<ToolOutput> {
  const { content, structuredContent, isError } = isRecord(result) ? result : {};
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const parts: ResultPart[] = [];
  let media = 0;
  for (const block of blocks) {
    const part = await readBlock(block, rules, media < MOST_MEDIA);
    if (part.type === "media") media += 1;
    parts.push(part);
  }
  if (structuredContent !== undefined && !isSaid(structuredContent, blocks)) parts.push(text(JSON.stringify(structuredContent, null, 2)));
  if (parts.length === 0) parts.push(text("(no output)"));
  return { parts: joined(parts), isError: isError === true };
}

const text = (said: string): TextPart => ({ type: "text", text: said });

async function readBlock(block: unknown, rules: ResultRules, mayBeMedia: boolean): Promise<ResultPart> {
  if (!isRecord(block)) return text("[a block of the result could not be read]");
  switch (block["type"]) {
    case "text":
      return text(visibleText(String(block["text"] ?? "")));
    case "image":
    case "audio":
      return readMedia(block["type"], block, rules, mayBeMedia);
    case "resource":
      return readResource(block["resource"], rules);
    case "resource_link":
      return text(
        `[resource: ${[block["name"], block["uri"], block["description"]].filter((word) => typeof word === "string").join(" · ")}]`,
      );
    default:
      return text(`[a block of the kind ${JSON.stringify(block["type"] ?? null)} is left out]`);
  }
}

async function readMedia(
  kind: "image" | "audio",
  { data, mimeType }: Readonly<Record<string, unknown>>,
  { input, save }: ResultRules,
  mayBeMedia: boolean,
): Promise<ResultPart> {
  const mediaType = typeof mimeType === "string" && /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : `${kind}/unknown`;
  const bytes = typeof data === "string" ? Buffer.from(data, "base64") : Buffer.alloc(0);
  if (bytes.length === 0) return text(`[an empty ${kind} is left out]`);
  if (mayBeMedia && input.includes(kind) && bytes.length <= LARGEST_MEDIA_BYTES) return { type: "media", mediaType, data: bytes };
  const why = !input.includes(kind)
    ? "this model cannot take it in"
    : mayBeMedia
      ? "it is too large for the model"
      : "a result may have 8 of them";
  return text(await described(kind, mediaType, bytes, why, save));
}

async function readResource(resource: unknown, { save }: ResultRules): Promise<ResultPart> {
  if (!isRecord(resource)) return text("[a resource that could not be read]");
  const uri = visibleText(String(resource["uri"] ?? ""));
  if (typeof resource["text"] === "string") return text(`[resource: ${uri}]\n${visibleText(resource["text"])}`);
  const mediaType = typeof resource["mimeType"] === "string" ? resource["mimeType"] : "application/octet-stream";
  const bytes = Buffer.from(typeof resource["blob"] === "string" ? resource["blob"] : "", "base64");
  return text(await described(`resource ${uri}`, visibleText(mediaType), bytes, "it is no text", save));
}

async function described(what: string, mediaType: string, bytes: Uint8Array, why: string, save: ResultRules["save"]): Promise<string> {
  const path = await save(fileName(mediaType), bytes);
  const size = `${mediaType}, ${bytes.length} bytes`;
  return path === null ? `[${what} left out: ${size}; ${why}]` : `[${what} saved: ${path}, ${size}; ${why}]`;
}

const fileName = (mediaType: string): string => `mcp.${/\/(?:x-)?([A-Za-z0-9]{1,10})/.exec(mediaType)?.[1] ?? "bin"}`;

/**
 * Servers repeat their data as text, or as pictures, for clients that know no better: every value in it stands in a block
 * too.
 */
function isSaid(structured: unknown, blocks: readonly unknown[]): boolean {
  const said = blocks.flatMap(stringsIn).join("\n");
  const escaped = JSON.stringify(said);
  return [...valuesIn(structured)].every((value) => said.includes(value) || escaped.includes(JSON.stringify(value).slice(1, -1)));
}

const stringsIn = (value: unknown): readonly string[] => [...valuesIn(value)];

function* valuesIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) yield* valuesIn(part);
  else if (value !== undefined) yield String(value);
}

/** Thousands of small texts are one text to a vendor. */
function joined(parts: readonly ResultPart[]): readonly ResultPart[] {
  const result: ResultPart[] = [];
  let run: string[] = [];
  const close = (): void => {
    if (run.length > 0) result.push(text(run.join("\n")));
    run = [];
  };
  for (const part of parts) {
    if (part.type === "text") run.push(part.text);
    else {
      close();
      result.push(part);
    }
  }
  close();
  return result;
}

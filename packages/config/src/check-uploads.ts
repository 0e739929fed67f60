import { quoteText } from "./describe.js";
import { providerOf } from "./providers/catalogue.js";
import type { Reporter } from "./reporter.js";
import { type ConfigNode, child, toValue } from "./tree.js";

const KINDS = {
  audio: ["wav", "mp3", "m4a", "ogg", "oga", "opus", "flac", "aac", "aiff", "wma"],
  video: ["mp4", "mov", "webm", "mkv", "avi", "mpeg", "mpg", "m4v", "wmv"],
} as const;

type Kind = keyof typeof KINDS;

/** Providers whose interface has no place for a kind of file. Where a model or a tool decides, nothing is said. */
const CANNOT: { readonly [kind in Kind]: readonly string[] } = {
  audio: ["claude_code"],
  video: ["claude_code", "cerebras", "together", "fireworks", "groq", "nebius", "zai", "moonshot", "nvidia_nim"],
};

const AUDIO_FORMATS: readonly string[] = ["wav", "mp3"];

/** Rules about `upload_files`, as far as the names of the files decide (docs/spec/config.md 9). */
export function checkUploads(backend: ConfigNode | undefined, reporter: Reporter): void {
  const files = child(backend, "upload_files");
  const written = textOf(child(backend, "type"));
  const type = written === null ? undefined : providerOf(written)?.type;
  for (const entry of files?.kind === "list" ? files.items : []) {
    if (entry.kind !== "map") continue;
    const address = entry.entries.get("image_url");
    if (address !== undefined)
      reporter.report("CFG055", address, "'image_url' has another name now", {
        on: "key",
        hint: "Write image_path; it takes an address too.",
      });
    for (const key of ["audio_path", "video_path", "file_path"]) checkFile(entry.entries.get(key), type, reporter);
  }
}

function checkFile(node: ConfigNode | undefined, type: string | undefined, reporter: Reporter): void {
  const path = textOf(node);
  const ending = path === null ? undefined : /\.([A-Za-z0-9]{2,5})(?:[?#].*)?$/.exec(path)?.[1]?.toLowerCase();
  if (node === undefined || ending === undefined) return;
  const kind = (Object.keys(KINDS) as readonly Kind[]).find((one) => (KINDS[one] as readonly string[]).includes(ending));
  if (kind === undefined || type === undefined) return;
  if (CANNOT[kind].includes(type)) reporter.report("CFG056", node, `${quoteText(type)} cannot take ${kind} files`, { hint: hints[kind] });
  else if (kind === "audio" && !AUDIO_FORMATS.includes(ending))
    reporter.report("CFG056", node, `${quoteText(type)} cannot take '.${ending}' files`, { hint: "Convert it to mp3 or wav." });
}

const hints: { readonly [kind in Kind]: string } = {
  audio: "Give it to an agent of another type: openai, gemini, openrouter.",
  video: "Give it to an agent of another type: gemini, openrouter, qwen.",
};

function textOf(node: ConfigNode | undefined): string | null {
  const value = node === undefined ? null : toValue(node);
  return typeof value === "string" ? value : null;
}

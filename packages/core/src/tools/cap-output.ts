import type { MediaPart, TextPart, ToolOutput } from "@massgen/contracts";
import { headOf, tailOf } from "../text/cut-text.js";

export interface CapOptions {
  /** Characters the whole result may have, all its texts together. */
  readonly maxChars: number;
  /** `head` for what can be read on from an offset; `ends` keeps 60 % of the beginning and 40 % of the end. */
  readonly keep: "head" | "ends";
  /** What the model can take in. */
  readonly input: readonly string[];
}

/** A result as the model gets it: never too large, never empty, with pictures only for models that see. */
export function capOutput(output: ToolOutput, options: CapOptions): ToolOutput {
  const parts = output.parts.map((part) => (part.type === "media" && !takes(options.input, part) ? note(part) : part));
  const texts = parts.filter((part) => part.type === "text");
  const chars = texts.reduce((sum, part) => sum + part.text.length, 0);
  const isBlank = parts.length === texts.length && chars === 0;
  if (isBlank) return { ...output, parts: [{ type: "text", text: "(The tool gave back nothing.)" }] };
  if (chars <= options.maxChars) return { ...output, parts };
  const text = cut(texts.map((part) => part.text).join("\n"), options);
  return { ...output, parts: [{ type: "text", text }, ...parts.filter((part) => part.type === "media")] };
}

function cut(text: string, { maxChars, keep }: CapOptions): string {
  const head = headOf(text, keep === "head" ? maxChars : Math.floor(maxChars * 0.6));
  const tail = keep === "head" ? "" : tailOf(text, maxChars - Math.floor(maxChars * 0.6));
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} of ${text.length} characters left out: a result may have ${maxChars} …]${tail === "" ? "" : `\n${tail}`}`;
}

const takes = (input: readonly string[], { mediaType }: MediaPart): boolean =>
  input.includes(mediaType === "application/pdf" ? "pdf" : (mediaType.split("/")[0] ?? ""));

const note = ({ mediaType }: MediaPart): TextPart => ({ type: "text", text: `[${mediaType} left out: this model cannot take it in]` });

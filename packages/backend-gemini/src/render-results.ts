import { mediaKind, mediaNote, sendableText, type ToolNames } from "@massgen/backend-kit";
import type { MediaPart, ToolOutput, ToolResult } from "@massgen/contracts";
import type { JsonObject } from "./json.js";
import type { ModelFacts } from "./model-facts.js";
import { isReadable, renderMedia } from "./render-media.js";

/** A call as its result names it. */
export interface AnsweredCall {
  readonly tool: string;
  /** The vendor's own id, `null` when it gave none. */
  readonly id: string | null;
  /** The call stands in the history as text. */
  readonly told: boolean;
}

interface ResultRules {
  readonly names: ToolNames;
  readonly facts: ModelFacts;
}

type Calls = ReadonlyMap<string, AnsweredCall>;

/**
 * The contents that answer the calls of one message: one with a response per call and nothing else in it, in the order of the
 * calls; then one with the media that may not stand in a response.
 */
export function renderResults(results: readonly ToolResult[], calls: Calls, rules: ResultRules): readonly (readonly JsonObject[])[] {
  const responses = results.map(({ callId, output }) => renderResult(callId, output, calls, rules));
  const behind = results.flatMap(({ callId, output }) => mediaBehind(output, toolOf(calls, callId), rules.facts));
  return behind.length === 0 ? [responses] : [responses, behind];
}

/** The same in words, where the calls stand in words too. */
export function tellResults(results: readonly ToolResult[], calls: Calls): readonly (readonly JsonObject[])[] {
  const parts = results.flatMap(({ callId, output }): readonly JsonObject[] => [
    { text: `[${output.isError ? "Error" : "Result"} of the tool ${toolOf(calls, callId)}]\n${textOfOutput(output, "shown below")}` },
    ...mediaOf(output).filter(isReadable).map(renderMedia),
  ]);
  return [parts];
}

function renderResult(callId: string, output: ToolOutput, calls: Calls, { names, facts }: ResultRules): JsonObject {
  const inside = mediaOf(output).filter((part) => standsInside(part, facts));
  const text = textOfOutput(output, inside.length > 0 ? "attached" : "shown below");
  const id = calls.get(callId)?.id ?? null;
  return {
    functionResponse: {
      ...(id === null ? {} : { id }),
      name: names.toWire(toolOf(calls, callId)),
      response: output.isError ? { error: text } : { result: text },
      ...(inside.length > 0 ? { parts: inside.map(renderMedia) } : {}),
    },
  };
}

function mediaBehind(output: ToolOutput, tool: string, facts: ModelFacts): readonly JsonObject[] {
  const media = mediaOf(output).filter((part) => isReadable(part) && !standsInside(part, facts));
  return media.length === 0 ? [] : [{ text: `From the result of ${tool}:` }, ...media.map(renderMedia)];
}

/** Gemini 3 reads images and documents inside a response, and nothing else there. */
function standsInside(part: MediaPart, { mediaInResults }: ModelFacts): boolean {
  const kind = mediaKind(part.mediaType);
  return mediaInResults && isReadable(part) && !(part.data instanceof URL) && (kind === "image" || kind === "pdf");
}

function textOfOutput({ parts }: ToolOutput, where: string): string {
  const texts = parts.map((part) => {
    if (part.type === "text") return sendableText(part.text);
    return mediaNote(part, isReadable(part) ? where : "left out: this model does not take it");
  });
  return texts.join("\n") || "(no output)";
}

function mediaOf({ parts }: ToolOutput): readonly MediaPart[] {
  return parts.filter((part) => part.type === "media");
}

function toolOf(calls: Calls, callId: string): string {
  return calls.get(callId)?.tool ?? "a_tool";
}

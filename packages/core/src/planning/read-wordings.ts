import type { Sameness } from "@massgen/kernel";
import { findObject } from "../text/find-object.js";

/** The wordings in a reply: a JSON object with the list `wordings`; `null` when there is none. */
export const readWordings = (text: string): readonly string[] | null =>
  findObject(text, ({ wordings }) => (isListOf(wordings, (wording) => typeof wording === "string") ? wordings : null));

/** What a reply says of so many wordings: a JSON object with the list `verdicts`; `null` when there is none for each. */
export const readVerdicts = (text: string, count: number): readonly Sameness[] | null =>
  findObject(text, ({ verdicts }) =>
    isListOf(verdicts, isVerdict) && verdicts.length === count
      ? verdicts.map(({ same, confidence }) => ({ isSame: same, confidence }))
      : null,
  );

const isListOf = <T>(value: unknown, is: (entry: unknown) => entry is T): value is readonly T[] => Array.isArray(value) && value.every(is);

const isVerdict = (value: unknown): value is { readonly same: boolean; readonly confidence: number } =>
  typeof value === "object" &&
  value !== null &&
  "same" in value &&
  typeof value.same === "boolean" &&
  "confidence" in value &&
  typeof value.confidence === "number" &&
  value.confidence >= 0 &&
  value.confidence <= 1;

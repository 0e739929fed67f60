import { Worker } from "node:worker_threads";
import { refuse } from "../files/refusal.js";
import { toLf } from "../files/replace-text.js";
import { decodeText } from "../files/text-content.js";
import type { Candidate, Matches, Query } from "./query.js";

/**
 * The search for machines without ripgrep: JavaScript's regular expressions, in a thread that is stopped with the signal,
 * because a pattern of a model can run for hours there. Written as text, so that it also works out of a bundle.
 */
const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { source, flags, multiline } = workerData;
let regex;
try { regex = new RegExp(source, flags); } catch (error) { parentPort.postMessage({ bad: error.message }); }
if (regex) parentPort.on("message", (text) => {
  const lines = [];
  if (multiline) {
    let number = 1, at = 0;
    for (const match of text.matchAll(regex)) {
      for (; at < match.index; at++) if (text.charCodeAt(at) === 10) number++;
      const height = match[0].replace(/\\n$/, "").split("\\n").length;
      for (let line = number; line < number + height; line++) if (lines.at(-1) !== line) lines.push(line);
      if (lines.length >= 2000) break;
    }
  } else {
    const all = text.split("\\n");
    if (all.at(-1) === "") all.pop();
    for (let index = 0; index < all.length && lines.length < 2000; index++) { regex.lastIndex = 0; if (regex.test(all[index])) lines.push(index + 1); }
  }
  parentPort.postMessage({ lines });
});
`;

export async function searchInWorker(query: Query, candidates: readonly Candidate[], signal: AbortSignal): Promise<Matches> {
  const source = query.isLiteral ? query.pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : query.pattern;
  const flags = `gu${query.ignoreCase ? "i" : ""}${query.multiline ? "ms" : ""}`;
  const worker = new Worker(WORKER, {
    eval: true,
    env: {},
    workerData: { source, flags, multiline: query.multiline },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const stop = (): void => void worker.terminate();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const found = new Map<Candidate, readonly number[]>();
    for (const candidate of candidates) {
      signal.throwIfAborted();
      const text = decodeText(await candidate.handle.readFile())?.text;
      if (text === undefined) continue;
      const { bad, lines = [] } = await answerOf(worker, toLf(text), signal);
      if (bad !== undefined)
        refuse("INVALID_ARGS", `The pattern is no regular expression. ${bad}. Set literal to search for the text as it is.`);
      if (lines.length > 0) found.set(candidate, lines);
    }
    return found;
  } finally {
    signal.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

interface Answer {
  readonly bad?: string;
  readonly lines?: readonly number[];
}

const answerOf = (worker: Worker, text: string, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const settle = (): void => {
      for (const event of ["message", "error", "exit"] as const) worker.removeAllListeners(event);
    };
    worker.once("message", (answer: Answer) => {
      settle();
      resolve(answer);
    });
    worker.once("error", (error) => {
      settle();
      reject(error);
    });
    worker.once("exit", () => {
      settle();
      reject(signal.reason ?? new Error("the search ended early"));
    });
    worker.postMessage(text);
  });

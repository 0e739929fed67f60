import { runInNewContext } from "node:vm";

/** What the language itself has, asked of a fresh realm; without the ways to run text as code, which edge runtimes refuse. */
const LANGUAGE = /** @type {string[]} */ (runInNewContext("Object.getOwnPropertyNames(globalThis)")).filter(
  (name) => !["eval", "Function", "console", "WebAssembly"].includes(name),
);

/** Web standards that every runtime has and that give the same answer every time. */
const WEB = `AbortController AbortSignal Blob ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy CustomEvent
  DecompressionStream DOMException Event EventTarget File FormData Headers Intl MessageChannel MessageEvent ReadableStream
  Request Response TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream URL URLSearchParams
  WritableStream atob btoa crypto queueMicrotask structuredClone undefined arguments`.split(/\s+/);

export const sameEverywhere = new Set([...LANGUAGE, ...WEB]);

/** Time, chance, identity and network: they come in through `Ambient`, so that a test or a replay can replace them. */
export const ambient = new Set(
  `Date.now Date() Math.random performance setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate
  scheduler AbortSignal.timeout crypto.randomUUID crypto.getRandomValues fetch`
    .split(/\s+/)
    .concat("new Date()"),
);

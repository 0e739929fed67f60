import { pathToFileURL } from "node:url";
import { type BackendAdapter, type BackendModule, type BackendOptions, MassgenError } from "@massgen/contracts";
import { findModule } from "./find-module.js";
import { adapterOptions, type BackendOrder } from "./order.js";

/**
 * The adapter of a package or file outside of MassGen. This runs its code, so it happens for a run and never for a check.
 *
 * @throws MassgenError `UNKNOWN_BACKEND` when there is no such module or it gives no adapter; what the module itself throws, named
 */
export async function createFromModule(order: BackendOrder): Promise<BackendAdapter> {
  const { type } = order.config;
  const folders = order.modulesFrom ?? [process.cwd()];
  const file = await findModule(type, folders);
  if (file === null) throw notFound(type, folders);
  const { createBackend } = await load(type, file);
  const options = moduleOptions(order);
  const made = attempt(order, () => createBackend(options));
  return checked(type, made);
}

/** What the contract promises, and nothing that only the adapters of this repository understand. */
function moduleOptions(order: BackendOrder): BackendOptions {
  const { model, apiKey, baseUrl, timeoutMs, params, maxRetries, maxIncompleteResponseRetries, ambient } = adapterOptions(order);
  return {
    ...(model === "" ? {} : { model }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    params,
    maxRetries,
    maxIncompleteResponseRetries,
    ambient,
  };
}

function notFound(type: string, folders: readonly string[]): MassgenError {
  const looked = [...new Set(folders)].join(" and ");
  const isFile = /^\.{0,2}\//.test(type);
  const name = type.replace(/^npm:/, "");
  return refuse(
    type,
    isFile ? "is no file" : "is not installed",
    `Looked from ${looked}.${isFile ? "" : ` If you trust it, install it there: npm install ${name}`}`,
  );
}

async function load(type: string, file: string): Promise<BackendModule> {
  let loaded: Partial<BackendModule>;
  try {
    loaded = (await import(pathToFileURL(file).href)) as Partial<BackendModule>;
  } catch (cause) {
    throw refuse(type, `could not be loaded: ${wordsOf(cause)}`, `It was read from ${file}.`, cause);
  }
  if (typeof loaded.createBackend === "function") return { createBackend: loaded.createBackend };
  const names = Object.keys(loaded).sort();
  const has = names.length === 0 ? "It exports nothing." : `It exports ${names.join(", ")}.`;
  throw refuse(type, "exports no function createBackend", `${has} An adapter has: export function createBackend(options) { … }`);
}

function attempt<T>({ config: { type }, apiKey }: BackendOrder, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if (MassgenError.is(cause)) throw cause;
    const words = wordsOf(cause);
    throw refuse(type, `makes no backend: ${apiKey === null ? words : words.replaceAll(apiKey, "[REDACTED]")}`, "", cause);
  }
}

/** Whatever the module made, as far as it can be told before the first turn. */
function checked(type: string, made: unknown): BackendAdapter {
  const adapter = (typeof made === "object" && made !== null ? made : {}) as Partial<Record<keyof BackendAdapter, unknown>>;
  if (made instanceof Promise) {
    // Nobody else will hear of its failure.
    made.catch(() => {});
    throw refuse(type, "makes a promise, not a backend", "createBackend must not be async; load what takes time with the first turn.");
  }
  if (adapter.specVersion !== undefined && adapter.specVersion !== 1) {
    const version = JSON.stringify(adapter.specVersion);
    throw refuse(type, `speaks version ${version} of the adapter contract, and this MassGen speaks 1`, "Install versions that fit.");
  }
  const missing = Object.entries(SHAPE).filter(
    ([key, is]) => typeof adapter[key as keyof BackendAdapter] !== is || adapter[key as keyof BackendAdapter] === null,
  );
  if (missing.length === 0) return made as BackendAdapter;
  const wanted = missing.map(([key, is]) => `${key} (${is})`).join(", ");
  throw refuse(type, `makes no BackendAdapter: ${wanted} is missing`, "The contract is the type BackendAdapter of @massgen/contracts.");
}

const SHAPE = {
  specVersion: "number",
  id: "string",
  model: "string",
  capabilities: "object",
  stream: "function",
  dispose: "function",
} as const;

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const refuse = (type: string, what: string, hint: string, cause?: unknown): MassgenError =>
  new MassgenError("UNKNOWN_BACKEND", `The backend ${JSON.stringify(type)} ${what}.`, { exitCode: 1, hint, cause });

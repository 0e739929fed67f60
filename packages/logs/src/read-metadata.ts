import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MassgenError, type RunId } from "@massgen/contracts";
import { parse } from "yaml";
import { attemptFolder, isFile } from "./attempts/attempt-folders.js";

/** How a run was started, as its log says (docs/spec/logs.md 4.2). Secrets of the config read `[REDACTED]`. */
export interface RunMetadata {
  readonly question: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly configPath: string | null;
  readonly config: unknown;
  readonly overrides: unknown;
  readonly cliArgs: unknown;
  readonly version: string;
  readonly cwd: string;
  readonly runId: RunId;
  readonly seed: number;
  readonly simulated: boolean;
  /** Attempts the run may take; with more than one each has a folder of its own. */
  readonly maxAttempts: number;
  /** Ids of the agents, in the order of the config. */
  readonly agents: readonly string[];
}

const METADATA = "execution_metadata.yaml";

/** @throws MassgenError `STORE_FAILED` when the folder has no record of a start, or one that says too little. */
export async function readRunMetadata(folder: string): Promise<RunMetadata> {
  const own = join(folder, METADATA);
  const ofAttempt = join(folder, attemptFolder(1), METADATA);
  const file = (await isFile(ofAttempt)) && !(await isFile(own)) ? ofAttempt : own;
  let read: unknown;
  try {
    read = parse(await readFile(file, "utf8"), { maxAliasCount: 0 });
  } catch (cause) {
    throw new MassgenError("STORE_FAILED", `There is no run in ${folder}: its execution_metadata.yaml cannot be read.`, {
      cause,
      hint: "Give the folder that the run printed as LOG_DIR.",
    });
  }
  const map: Readonly<Record<string, unknown>> = typeof read === "object" && read !== null ? { ...read } : {};
  const text = (key: string): string | null => (typeof map[key] === "string" ? map[key] : null);
  const [question, runId, seed] = [text("query"), text("run_id"), map["seed"]];
  if (question === null || runId === null || typeof seed !== "number")
    throw new MassgenError("STORE_FAILED", `${file} does not say which run this is: query, run_id or seed is missing.`);
  const mapping = map["agent_mapping"];
  return {
    question,
    timestamp: text("timestamp") ?? "",
    configPath: text("config_path"),
    config: map["config"] ?? null,
    overrides: map["overrides"] ?? {},
    cliArgs: map["cli_args"] ?? {},
    version: text("massgen_version") ?? "unknown",
    cwd: text("working_directory") ?? folder,
    runId,
    seed,
    simulated: map["simulated"] === true,
    maxAttempts: typeof map["max_attempts"] === "number" ? map["max_attempts"] : 1,
    agents: typeof mapping === "object" && mapping !== null ? Object.values(mapping).filter((id) => typeof id === "string") : [],
  };
}

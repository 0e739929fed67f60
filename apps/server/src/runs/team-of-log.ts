import { isAbsolute, relative } from "node:path";
import { readRunMetadata } from "@massgen/logs";

export interface TeamPlaces {
  readonly cwd: string;
  readonly examplesDir: string | null;
}

/** How a run can be asked for again, and the conversation it belongs to. */
export interface RunStart {
  readonly model: string | null;
  readonly sessionId: string | null;
}

/** By the metadata of its log. Nothing is known where they cannot be read. */
export async function startOfLog(folder: string, places: TeamPlaces): Promise<RunStart> {
  const metadata = await readRunMetadata(folder).catch(() => null);
  if (metadata === null) return { model: null, sessionId: null };
  const { cliArgs, configPath } = metadata;
  const args: Readonly<Record<string, unknown>> = typeof cliArgs === "object" && cliArgs !== null ? { ...cliArgs } : {};
  const textOf = (key: string): string | null => (typeof args[key] === "string" ? args[key] : null);
  const asked = args["command"] === "serve" ? textOf("model") : null;
  return {
    model: asked === null ? nameOfFile(configPath, places) : startableName(asked),
    sessionId: textOf("session_id"),
  };
}

/** A config as requests call it; `null` for one outside of what they may name. */
export function nameOfFile(path: string | null, { cwd, examplesDir }: TeamPlaces): string | null {
  if (path === null) return null;
  const example = examplesDir === null ? null : below(examplesDir, path);
  if (example !== null) return `massgen/${example.replace(/\.ya?ml$/, "")}`;
  const near = below(cwd, path);
  return near === null ? null : `massgen/path:${near}`;
}

/** `massgen/build` says nothing without the body it came with. */
export const startableName = (model: string): string | null => (model === "massgen/build" ? null : model);

function below(folder: string, path: string): string | null {
  const way = relative(folder, path);
  return way === "" || way.startsWith("..") || isAbsolute(way) ? null : way.replaceAll("\\", "/");
}

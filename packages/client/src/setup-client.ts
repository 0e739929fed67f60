import type { z } from "zod";
import {
  type CheckedConfig,
  checkedConfig,
  type DraftConfig,
  draftedConfig,
  type FolderListing,
  folderListing,
  type RemovedKey,
  removedKey,
  type SaveConfig,
  type SetupState,
  type StoredKey,
  savedConfig,
  setupState,
  storedKey,
  type TeamSummary,
  teamContent,
  teamList,
} from "./setup-contract.js";

/** Keys and teams of a server that was started with a page; any other answers with 404. */
export interface SetupClient {
  setup(signal?: AbortSignal): Promise<SetupState>;
  /** Written by the server into its `.env` file, never sent back; counts for the next run. */
  storeKey(variable: string, value: string): Promise<StoredKey>;
  /** Takes a key out of that file again; counts for the next run. */
  removeKey(variable: string): Promise<RemovedKey>;
  configs(signal?: AbortSignal): Promise<readonly TeamSummary[]>;
  /** A folder of the server's machine; left out: that of the server. */
  folder(path?: string, signal?: AbortSignal): Promise<FolderListing>;
  configText(model: string, signal?: AbortSignal): Promise<string>;
  checkConfig(text: string, signal?: AbortSignal): Promise<CheckedConfig>;
  draftConfig(team: DraftConfig): Promise<string>;
  /** Rejects with status 409 when there is such a file and `replace` is not said. */
  saveConfig(config: SaveConfig): Promise<z.infer<typeof savedConfig>>;
}

type Json = <T extends z.ZodType>(schema: T, path: string, init?: RequestInit) => Promise<z.infer<T>>;

export function setupClient(json: Json): SetupClient {
  const withSignal = (signal: AbortSignal | undefined): RequestInit => (signal === undefined ? {} : { signal });
  const send = (method: string, body: unknown): RequestInit => ({ method, body: JSON.stringify(body) });
  return {
    setup: (signal) => json(setupState, "/api/setup", withSignal(signal)),
    storeKey: (variable, value) => json(storedKey, "/api/setup/keys", send("PUT", { variable, value })),
    removeKey: (variable) => json(removedKey, `/api/setup/keys/${encodeURIComponent(variable)}`, { method: "DELETE" }),
    configs: async (signal) => (await json(teamList, "/api/configs", withSignal(signal))).teams,
    folder: (path, signal) =>
      json(folderListing, path === undefined ? "/api/folders" : `/api/folders?path=${encodeURIComponent(path)}`, withSignal(signal)),
    configText: async (model, signal) =>
      (await json(teamContent, `/api/configs/content?model=${encodeURIComponent(model)}`, withSignal(signal))).text,
    checkConfig: (text, signal) => json(checkedConfig, "/api/configs/check", { ...send("POST", { text }), ...withSignal(signal) }),
    draftConfig: async (team) => (await json(draftedConfig, "/api/configs/draft", send("POST", team))).text,
    saveConfig: (config) => json(savedConfig, "/api/configs", send("POST", config)),
  };
}

import { createEventsFileStore, type EventsFileStore } from "../events/event-store.js";
import { type AttemptsStoreOptions, createAttemptsStore } from "./attempts-store.js";

/** The store of one run in its folder: with one event file, or with one per attempt when it may take several. */
export function createRunStore({ maxAttempts, ...options }: AttemptsStoreOptions & { readonly maxAttempts: number }): EventsFileStore {
  if (maxAttempts > 1) return createAttemptsStore(options);
  const { root, runId, ...rest } = options;
  return createEventsFileStore({ ...rest, folderOf: (id) => (id === runId ? root : null) });
}

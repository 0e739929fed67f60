export { createEventsFileStore, type EventsFileStore, type EventsFileStoreOptions } from "./events/event-store.js";
export { decisionsIn, readRunLog } from "./read-run-log.js";

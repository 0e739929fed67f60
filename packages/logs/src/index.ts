export { createEventsFileStore, type EventsFileStore, type EventsFileStoreOptions } from "./events/event-store.js";

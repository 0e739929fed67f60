export { describeEventStore, type EventStoreUnderTest } from "./describe-event-store.js";

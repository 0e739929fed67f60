export { type ReplyKind, suiteReplies } from "./backend-replies.js";
export { type BackendUnderTest, describeBackend } from "./describe-backend.js";
export { describeEventStore, type EventStoreUnderTest } from "./describe-event-store.js";

export { type LoginOptions, logIn } from "./auth/log-in.js";
export { createTokenStore, type TokenStore } from "./auth/token-store.js";
export { type HubEvents, type McpHub, openHub } from "./hub.js";
export type { Elicitation, ElicitationAnswer, McpHost, McpLogLevel, McpServer, McpTransport, ServerReport } from "./server.js";

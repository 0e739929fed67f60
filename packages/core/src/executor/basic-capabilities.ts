import type { BackendCapabilities } from "@massgen/contracts";

/** What any model can do that is asked one turn at a time: text in, tools called without being forced. For backends made by hand. */
export const basicCapabilities: BackendCapabilities = {
  loop: "host",
  hookDelivery: "none",
  toolsMayChangeMidConversation: true,
  forcedToolChoice: false,
  parallelToolCalls: true,
  input: ["text"],
  contextWindowTokens: null,
  resumableConversations: false,
};

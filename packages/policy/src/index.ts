export { createPolicy, type PathDecision, type Policy, type PolicyOptions } from "./create-policy.js";
export {
  createFileKnowledge,
  type FileKnowledge,
  type FileKnowledgeOptions,
  type FileNow,
  type FileStamp,
  type KnownFile,
  type NamedFile,
} from "./files/file-knowledge.js";
export type { LineRange } from "./files/line-ranges.js";
export type { AgentGrants, CommandGrant, ContextPath, NameTest, Protection, Root, RootKind, UrlRules } from "./grants.js";
export type { Place } from "./paths/decide-path.js";
export { isHiddenName } from "./paths/exclusions.js";
export type { FoundObject, ObjectKind } from "./paths/follow-links.js";
export type { TreeContent } from "./paths/list-tree.js";
export { type HeldFolder, openFolder, openParent, openWithin } from "./paths/open-within.js";
export { describeRoot } from "./paths/refusals.js";
export type { Refusal, RefusalCode } from "./refusal.js";
export { addressFault } from "./urls/judge-address.js";

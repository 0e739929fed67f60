export { createPolicy, type PathDecision, type Policy, type PolicyOptions } from "./create-policy.js";
export type { AgentGrants, ContextPath, NameTest, Protection, Root, RootKind } from "./grants.js";
export type { Place } from "./paths/decide-path.js";
export { isHiddenName } from "./paths/exclusions.js";
export type { FoundObject, ObjectKind } from "./paths/follow-links.js";
export type { TreeContent } from "./paths/list-tree.js";
export { type HeldFolder, openParent, openWithin } from "./paths/open-within.js";
export { describeRoot } from "./paths/refusals.js";
export type { RefusalCode } from "./refusal.js";

export { countingIds, seededRandom, type TestAmbient, type TestAmbientOptions, testAmbient } from "./ambient.js";
export { estimateTokens, estimateUsage } from "./estimate-tokens.js";
export { memoryStore } from "./memory-store.js";
export type { ScriptedLatency } from "./pacer.js";
export { type RunVirtualOptions, runVirtual } from "./run-virtual.js";
export {
  brokenCall,
  cut,
  fail,
  lengthLimit,
  newAnswer,
  ownCall,
  type Piece,
  reasoning,
  refusal,
  retried,
  stall,
  type Turn,
  text,
  toolCall,
  usage,
  vote,
  wait,
} from "./script.js";
export {
  type ScriptedBackend,
  type ScriptedBackendOptions,
  type ScriptedCall,
  scriptedBackend,
} from "./scripted-backend.js";
export { type VirtualClock, virtualClock } from "./virtual-clock.js";

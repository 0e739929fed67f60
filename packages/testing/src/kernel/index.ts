export { checkInvariants } from "./check-invariants.js";
export { after, cardsOf, openRun, type Played, playSignals, startOf } from "./play.js";
export { signals } from "./signals.js";

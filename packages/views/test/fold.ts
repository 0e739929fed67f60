import type { Recorded } from "@massgen/contracts";
import { emptyRunView, foldRecord, type RunView, type StatusContext } from "../src/index.js";
import { START } from "./sample-run.js";

export const viewOf = (records: readonly Recorded[]): RunView => records.reduce(foldRecord, emptyRunView);

/** The view after each record. */
export function viewsOf(records: readonly Recorded[]): readonly RunView[] {
  let view = emptyRunView;
  return records.map((record) => {
    view = foldRecord(view, record);
    return view;
  });
}

export const statusContext: StatusContext = {
  now: START + 70_100,
  startedAt: START - 20,
  sessionId: "log_20260102_101529_880000",
  logDir: "/w/.massgen/massgen_logs/log_20260102_101529_880000",
  pid: 4711,
  simulated: false,
  runId: "20260102_101529_k7q2mz",
  question: "Compare two caching strategies",
  agents: [],
  dirs: new Map(),
  turn: 1,
  attempt: 1,
  maxAttempts: 1,
  waitReasons: new Map(),
  mcpServers: new Map(),
  streamedAt: new Map(),
  outcome: null,
  isComplete: false,
};

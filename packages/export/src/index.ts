export {
  type ExportFile,
  type ExportOptions,
  type ExportPlan,
  planExport,
  type SkippedFile,
  type TurnChoice,
} from "./collect/plan-export.js";
export type { SkipReason } from "./collect/which-files.js";
export { createShare, deleteShare, forGist, type Gh, listShares, type Share } from "./gist.js";
export { type PageFile, type PageOptions, renderPage } from "./page/page.js";
export { foldTurn, type LogRecord, type Moment, readLogRecord, type TurnRecord } from "./read-turn.js";
export { formOf, type WriteOptions, writeExport } from "./write-export.js";

export { oldToolNames, presentToolName } from "../aliases.js";
export {
  type CustomToolEntry,
  type CustomToolProblem,
  type CustomTools,
  type LoadOptions,
  loadCustomTools,
} from "./custom/load-custom-tools.js";
export { type PythonTool, pythonTool } from "./custom/python-tools.js";
export type { FileToolRules, GrantedRoot } from "./file-tool.js";
export { createFileTools, type FileToolOptions } from "./file-tools.js";
export { openResultFolder, type ResultFolder } from "./large-result.js";
export { defaultLimits, type FileToolLimits } from "./limits.js";

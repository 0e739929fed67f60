export { z } from "zod";
export { type CustomToolOptions, customTool } from "./custom-tool.js";
export { defineTool, type ToolAnswer, type ToolDefinition } from "./define-tool.js";
export { namesTool } from "./names-tool.js";
export { pathsIn } from "./paths-in.js";

import type { ToolOutput } from "@massgen/contracts";

export const textOutput = (text: string): ToolOutput => ({ parts: [{ type: "text", text }], isError: false });

export const errorOutput = (text: string): ToolOutput => ({ parts: [{ type: "text", text }], isError: true });

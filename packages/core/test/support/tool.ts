import type { ToolContext, ToolHandler, ToolOutput } from "@massgen/contracts";

export const said = (text: string): ToolOutput => ({ parts: [{ type: "text", text }], isError: false });

/** A tool that reads, without a deadline, unless `more` says otherwise. */
export function tool(
  name: string,
  run: (input: { readonly [key: string]: unknown }, context: ToolContext) => ToolOutput | Promise<ToolOutput>,
  more: Partial<Pick<ToolHandler, "risk" | "timeoutMs" | "origin" | "inPlanning">> = {},
): ToolHandler {
  return {
    spec: { name, description: `Does ${name}.`, input: { type: "object", properties: {} } },
    risk: "read",
    timeoutMs: null,
    effects: () => [],
    run: async (input, context) => run(input as { readonly [key: string]: unknown }, context),
    ...more,
  };
}

/** Takes `ms` on the clock, then says `text`. */
export async function after(ms: number, text: string, { ambient, signal }: ToolContext): Promise<ToolOutput> {
  await ambient.clock.sleepUntil(ambient.clock.monotonic() + ms, signal);
  return said(text);
}

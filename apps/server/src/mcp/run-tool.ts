import { describeRecord, emptyRunView, foldRecord, type RunView } from "@massgen/views";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { RunEntry } from "../runs/run-entry.js";
import { failed, type McpRuns, outcomeText, type RunReport, reportOf, runReport } from "./report.js";

const input = {
  question: z.string().min(1).describe("The whole task, with everything the team needs to know: it sees nothing of your conversation."),
  context: z.string().optional().describe("Text that belongs to the question: code, notes, what was tried. It is put before it."),
  config: z.string().optional().describe("A team: path of a config file, or @examples/name. Default: the team of the server."),
  models: z.array(z.string()).min(1).max(10).optional().describe('One agent for each, as "openai/gpt-5-mini". Not together with config.'),
  wait: z
    .boolean()
    .default(true)
    .describe("false: return at once with the run_id, for massgen_status and massgen_read_answer. A team takes minutes."),
};

/** `massgen_run`: asks a team, tells how it goes, and ends with the caller's patience. */
export function registerRun(server: McpServer, runs: McpRuns): void {
  server.registerTool(
    "massgen_run",
    {
      title: "Ask a team of models",
      description:
        "Gives one question to several models of different vendors. Each works on the whole of it, sees the others' answers without names, and improves or votes; the winner's answer comes back with why it won. For hard, costly or contested questions; it takes minutes and costs several times one model.",
      inputSchema: input,
      outputSchema: runReport.shape,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    async ({ question, context, config, models, wait }, { signal, sendNotification, _meta }) => {
      if (config !== undefined && models !== undefined) return failed("Give config or models, not both.");
      try {
        const text = context === undefined ? question : `${context}\n\n${question}`;
        const { id } = await runs.start({ question: text, sessionId: null, ...teamOf(config, models) });
        const run = await runs.find(id);
        if (run === null) return failed(`The run ${id} is gone.`);
        if (!wait) return begun(await reportOf(run));
        const token = _meta?.progressToken;
        const tell = async (progress: number, message: string): Promise<void> => {
          if (token !== undefined)
            await sendNotification({ method: "notifications/progress", params: { progressToken: token, progress, message } });
        };
        return await follow(run, signal, tell);
      } catch (error) {
        return failed(error instanceof Error ? error.message : String(error));
      }
    },
  );
}

function teamOf(config: string | undefined, models: readonly string[] | undefined): { readonly model: string; readonly build?: unknown } {
  if (models !== undefined) return { model: "massgen/build", build: { models } };
  if (config === undefined) return { model: "massgen" };
  return { model: config.startsWith("@examples/") ? `massgen/${config.slice("@examples/".length)}` : `massgen/path:${config}` };
}

/** A client that cancels its call cancels the run. */
async function follow(
  run: RunEntry,
  signal: AbortSignal,
  tell: (progress: number, message: string) => Promise<void>,
): Promise<CallToolResult> {
  const onCancel = (): void => void run.cancel("the client cancelled its call");
  if (signal.aborted) onCancel();
  else signal.addEventListener("abort", onCancel, { once: true });
  let view: RunView = emptyRunView;
  let told = 0;
  for await (const event of run.events(0, new AbortController().signal, true)) {
    if (!("seq" in event)) continue;
    view = foldRecord(view, event);
    const sentence = describeRecord(event, view);
    if (sentence !== null) await tell(++told, sentence);
  }
  signal.removeEventListener("abort", onCancel);
  const report = await reportOf(run, view);
  if (report.answer === null) return failed(`The run ${run.id} came to no answer: ${view.finished?.message ?? report.status}.`, report);
  return { content: [{ type: "text", text: outcomeText(report, view) }], structuredContent: { ...report } };
}

const begun = (report: RunReport): CallToolResult => ({
  content: [{ type: "text", text: `Started. Ask massgen_status with run_id ${JSON.stringify(report.run_id)}.` }],
  structuredContent: { ...report },
});

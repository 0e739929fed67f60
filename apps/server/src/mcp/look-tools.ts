import { acceptedAttempt, decisionText, formatCost, formatDuration } from "@massgen/views";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { RunEntry } from "../runs/run-entry.js";
import { failed, type McpRuns, type RunReport, reportOf, runReport } from "./report.js";

const readOnly = { readOnlyHint: true, openWorldHint: false } as const;
const runId = z.string().optional().describe("Default: the newest run.");

/** `massgen_status`: how far a run is, or what has run lately. */
export function registerStatus(server: McpServer, runs: McpRuns): void {
  server.registerTool(
    "massgen_status",
    {
      title: "How a run is going",
      description: "State, answers, votes, cost and time of one run; the final answer once it is there. Costs nothing.",
      inputSchema: { run_id: runId },
      outputSchema: runReport.shape,
      annotations: readOnly,
    },
    async ({ run_id }) => {
      const run = await findRun(runs, run_id);
      if (typeof run === "string") return failed(run);
      const report = await reportOf(run);
      return { content: [{ type: "text", text: statusText(report) }], structuredContent: { ...report } };
    },
  );
}

/** `massgen_read_answer`: any answer of a run as it was given, or why the winner won. */
export function registerReadAnswer(server: McpServer, runs: McpRuns): void {
  server.registerTool(
    "massgen_read_answer",
    {
      title: "Read an answer",
      description:
        'The text of one answer of a run. "final" (default) is what won, as it was presented; a label such as "agent2.1" is that version of that agent; "decision" is why it won, with every vote and its reason; "list" names what there is.',
      inputSchema: { run_id: runId, which: z.string().default("final") },
      annotations: readOnly,
    },
    async ({ run_id, which }) => {
      const run = await findRun(runs, run_id);
      if (typeof run === "string") return failed(run);
      const view = await run.view();
      const accepted = acceptedAttempt(view);
      const labels = accepted.state.answers.map(({ label }) => label);
      const text =
        which === "final"
          ? view.state.finalAnswer
          : which === "decision"
            ? decisionText(accepted)
            : which === "list"
              ? ["final", "decision", ...labels].join("\n")
              : (accepted.state.answers.find(({ label }) => label === which)?.content ?? null);
      if (text !== null) return { content: [{ type: "text", text }] };
      const there = labels.length === 0 ? "there are no answers yet" : `there are: ${labels.join(", ")}`;
      return failed(`The run ${run.id} has no ${JSON.stringify(which)}; ${there}.`);
    },
  );
}

async function findRun(runs: McpRuns, id: string | undefined): Promise<RunEntry | string> {
  const wanted = id ?? (await runs.list(1, 0)).runs[0]?.id;
  if (wanted === undefined) return "There is no run yet. Start one with massgen_run.";
  return (await runs.find(wanted)) ?? `There is no run ${JSON.stringify(wanted)}.`;
}

function statusText({ run_id, status, answers, votes, winner, cost_usd, duration_seconds, answer }: RunReport): string {
  const cost = cost_usd === null ? "cost unknown" : formatCost(cost_usd);
  const time = duration_seconds === null ? "" : `, ${formatDuration(duration_seconds * 1000)}`;
  const lead = winner === null ? "" : `, winner ${winner}`;
  return `${run_id}: ${status}, ${answers} answers, ${votes} votes${lead}, ${cost}${time}${answer === null ? "" : `\n\n${answer}`}`;
}

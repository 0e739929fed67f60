import { acceptedAttempt, decisionText, type RunView } from "@massgen/views";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Runs } from "../runs/open-runs.js";
import type { RunEntry } from "../runs/run-entry.js";

/** What the tools need of the runs of the server. */
export type McpRuns = Pick<Runs, "start" | "find" | "list">;

/** A run as the tools tell it. */
export const runReport = z.object({
  run_id: z.string(),
  status: z.string(),
  question: z.string().nullable(),
  answer: z.string().nullable().describe("The final answer; null while there is none."),
  winner: z.string().nullable(),
  agents: z.array(z.string()),
  answers: z.number().describe("Answers so far, replaced ones included."),
  votes: z.number().describe("Votes that count now."),
  cost_usd: z.number().nullable(),
  duration_seconds: z.number().nullable(),
});
export type RunReport = z.infer<typeof runReport>;

export async function reportOf(run: RunEntry, known?: RunView): Promise<RunReport> {
  const [summary, view] = await Promise.all([run.summary(), known ?? run.view()]);
  return {
    run_id: run.id,
    status: summary.state,
    question: summary.question,
    answer: view.state.finalAnswer,
    winner: summary.winner,
    agents: summary.agents,
    answers: view.state.answers.length,
    votes: Object.values(view.state.agents).filter(({ vote }) => vote !== null).length,
    cost_usd: summary.costUsd,
    duration_seconds: summary.durationMs === null ? null : summary.durationMs / 1000,
  };
}

/** The answer, and below it why it is the answer. */
export const outcomeText = ({ answer, run_id }: RunReport, view: RunView): string =>
  `${answer ?? ""}\n\n---\nrun_id: ${run_id}\n\n${decisionText(acceptedAttempt(view)) ?? ""}`;

export const failed = (text: string, report?: RunReport): CallToolResult => ({
  content: [{ type: "text", text }],
  isError: true,
  ...(report === undefined ? {} : { structuredContent: { ...report } }),
});

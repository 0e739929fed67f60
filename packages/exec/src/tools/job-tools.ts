import type { JsonSchema, JsonValue, ToolHandler, ToolOutput } from "@massgen/contracts";
import type { JobTable, JobView } from "../jobs/job-table.js";
import { type InputReader, readInput } from "./read-input.js";

/** Below what the dispatcher lets through: what it cut off would count as read. */
const SHOWN_CHARACTERS = 28_000;

const JOB_ID: JsonSchema = { type: "string", description: "As execute_command gave it." };

/** `job_output`, `job_status`, `job_wait`, `job_kill` and `job_list` for the jobs of one agent (docs/spec/tools.md 4.5). */
export function createJobTools(jobs: JobTable): readonly ToolHandler[] {
  return [jobOutput(jobs), jobStatus(jobs), jobWait(jobs), jobKill(jobs), jobList(jobs)];
}

function jobOutput(jobs: JobTable): ToolHandler {
  return tool({
    name: "job_output",
    description: "What a background job has printed since you last asked, and whether it still runs.",
    properties: {
      job_id: JOB_ID,
      since: { type: "integer", minimum: 0, description: "Number of the line to read from, as an earlier answer told it." },
      wait_ms: { type: "integer", minimum: 0, maximum: 30_000, description: "How long to wait for something new. Default 0." },
      filter: { type: "string", maxLength: 500, description: "Only lines that contain this text." },
    },
    required: ["job_id"],
    risk: "read",
    async run(input, signal) {
      const id = input.text("job_id") ?? "";
      const since = input.number("since", { max: Number.MAX_SAFE_INTEGER, unit: "" }) ?? null;
      const waitMs = input.number("wait_ms", { max: 30_000, unit: " milliseconds" }) ?? 0;
      const filter = input.text("filter", { max: 500 }) ?? "";
      if (waitMs > 0) await jobs.untilNews(id, since, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]));
      const read = jobs.read(id, since, SHOWN_CHARACTERS);
      const job = jobs.view(id);
      if (read === null || job === null) return notFound(id, jobs);
      const shown = read.lines.filter((line) => line.includes(filter));
      return say(
        describe(job),
        ...(read.lost > 0 ? [`[${read.lost} earlier lines are no longer kept]`] : []),
        ...(shown.length === 0 ? ["(nothing new)"] : shown),
        ...(read.unfinished === "" ? [] : [`[unfinished line: ${read.unfinished}]`]),
        read.waiting > 0 ? `[${read.waiting} more lines: read on with since=${read.next}]` : `[read on with since=${read.next}]`,
      );
    },
  });
}

function jobStatus(jobs: JobTable): ToolHandler {
  return tool({
    name: "job_status",
    description: "Whether a background job runs, for how long, and how it ended.",
    properties: { job_id: JOB_ID },
    required: ["job_id"],
    risk: "read",
    async run(input) {
      const id = input.text("job_id") ?? "";
      const job = jobs.view(id);
      return job === null ? notFound(id, jobs) : say(describe(job));
    },
  });
}

function jobWait(jobs: JobTable): ToolHandler {
  return tool({
    name: "job_wait",
    description: "Waits until one or all of some background jobs have ended, or the time is up.",
    properties: {
      job_ids: { type: "array", items: { type: "string" }, minItems: 1 },
      mode: { type: "string", enum: ["any", "all"], description: "Default all." },
      timeout: { type: "number", exclusiveMinimum: 0, maximum: 300, description: "Seconds. Default 60." },
    },
    required: ["job_ids"],
    risk: "read",
    async run(input, signal) {
      const ids = input.texts("job_ids") ?? [];
      const mode = input.text("mode") ?? "all";
      if (mode !== "any" && mode !== "all") throw new Error('INVALID_ARGS: mode must be "any" or "all".');
      const seconds = input.number("timeout", { above: 0, max: 300, unit: " seconds" }) ?? 60;
      const unknown = ids.find((id) => jobs.view(id) === null);
      if (unknown !== undefined) return notFound(unknown, jobs);
      await jobs.untilEnded(ids, mode, AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]));
      return say(...ids.flatMap((id) => jobs.view(id) ?? []).map(describe));
    },
  });
}

function jobKill(jobs: JobTable): ToolHandler {
  return tool({
    name: "job_kill",
    description: "Ends a background job and everything it started.",
    properties: { job_id: JOB_ID },
    required: ["job_id"],
    risk: "write",
    async run(input) {
      const id = input.text("job_id") ?? "";
      const job = await jobs.kill(id);
      return job === null ? notFound(id, jobs) : say(describe(job));
    },
  });
}

function jobList(jobs: JobTable): ToolHandler {
  return tool({
    name: "job_list",
    description: "Your background jobs.",
    properties: {},
    required: [],
    risk: "read",
    async run() {
      const all = jobs.list();
      return all.length === 0 ? say("You have no background jobs.") : say(...all.map(describe));
    },
  });
}

interface JobTool {
  readonly name: string;
  readonly description: string;
  readonly properties: { readonly [name: string]: JsonSchema };
  readonly required: readonly string[];
  readonly risk: ToolHandler["risk"];
  run(input: InputReader, signal: AbortSignal): Promise<ToolOutput>;
}

function tool({ name, description, properties, required, risk, run }: JobTool): ToolHandler {
  return {
    spec: { name, description, input: { type: "object", properties, required, additionalProperties: false } },
    risk,
    timeoutMs: null,
    // They reach nothing but this agent's own jobs, each of which was judged when it was started.
    effects: () => [],
    run: (input: JsonValue, { signal }) => run(readInput(input, Object.keys(properties)), signal),
  };
}

function describe(job: JobView): string {
  const seconds = (job.runningForMs / 1000).toFixed(1);
  const how = job.state === "running" ? `running for ${seconds} s` : `${job.state} after ${seconds} s`;
  const code = job.exitCode === null ? "" : `, exit code ${job.exitCode}`;
  const name = job.description === "" ? firstLine(job.command) : job.description;
  return `${job.id}: ${how}${code}: ${name}`;
}

const firstLine = (command: string): string => {
  const line = command.split("\n")[0] ?? "";
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
};

function notFound(id: string, jobs: JobTable): ToolOutput {
  const ids = jobs.list().map((job) => job.id);
  const yours = ids.length === 0 ? "You have no background jobs." : `Yours are ${ids.join(", ")}.`;
  return { parts: [{ type: "text", text: `NOT_FOUND: there is no job ${id}. ${yours}` }], isError: true };
}

const say = (...lines: readonly string[]): ToolOutput => ({ parts: [{ type: "text", text: lines.join("\n") }], isError: false });

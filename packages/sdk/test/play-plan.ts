import { join } from "node:path";
import { validateConfig } from "@massgen/config";
import type { JsonValue, RunEvent } from "@massgen/contracts";
import { type SimulatedReply, type SimulatedRequest, startSimulator } from "@massgen/simulator";
import { prepareRun, type RunPlan } from "../src/index.js";
import type { FinishedRun } from "../src/result.js";

export interface PlannedCall {
  readonly name: string;
  readonly input: JsonValue;
}

/** Models that do what a plan says, one call a response, then answer, vote for the first agent and present. */
export interface TeamPlan {
  /** Before the first answer, by the id of the agent. */
  readonly work?: (agent: string) => readonly PlannedCall[];
  readonly present?: readonly PlannedCall[];
  /** The vendor refuses the presenter's last request. */
  readonly presenterFails?: boolean;
}

export interface PlayOptions extends Partial<Omit<RunPlan, "loaded" | "logs" | "question" | "cwd">> {
  /** Where the run is at home. */
  readonly folder: string;
  readonly agents?: readonly string[];
  readonly backend?: Readonly<Record<string, unknown>>;
  readonly orchestrator?: Readonly<Record<string, unknown>>;
  readonly onEvent?: (event: RunEvent) => void;
}

export interface Played {
  readonly result: FinishedRun;
  readonly notes: readonly string[];
  /** Every request, whole. */
  readonly requests: readonly SimulatedRequest[];
  /** What each tool gave back, in order, by agent; the last request of a conversation has them all. */
  readonly results: (agent: string) => readonly string[];
}

export const call = (name: string, input: JsonValue): PlannedCall => ({ name, input });
export const write = (path: string, content: string): PlannedCall => call("write_file", { path, content });
export const read = (path: string): PlannedCall => call("read_file", { path });
export const shell = (command: string): PlannedCall => call("execute_command", { command });

const textOf = (request: SimulatedRequest): string => request.messages.map(({ text }) => text).join("\n");
const toolTexts = (request: SimulatedRequest): readonly string[] =>
  request.messages.filter(({ role }) => role === "tool").map(({ text }) => text);

/** A whole run over HTTP, on a config with files for everybody. */
export async function playPlan({ work = () => [], present = [], presenterFails = false }: TeamPlan, options: PlayOptions): Promise<Played> {
  const { folder, agents = ["ada", "bob", "cyd"], backend = {}, orchestrator = {}, env, ...plan } = options;
  const requests: SimulatedRequest[] = [];
  const respond = (request: SimulatedRequest): SimulatedReply => {
    requests.push(request);
    const text = textOf(request);
    const isPresenting = text.includes("The team has decided");
    if (!isPresenting && text.includes("<current_answers>"))
      return { kind: "message", toolCalls: [{ name: "vote", input: { agent_id: "agent1", reason: "it runs" } }] };
    const next = (isPresenting ? present : work(request.model))[toolTexts(request).length];
    if (next !== undefined) return { kind: "message", toolCalls: [next] };
    if (isPresenting && presenterFails) return { kind: "failure", status: 400 };
    if (isPresenting || agents.length === 1) return { kind: "message", text: "Done." };
    return { kind: "message", toolCalls: [{ name: "new_answer", input: { content: `What ${request.model} made.` } }] };
  };
  const simulator = await startSimulator({ respond });
  try {
    const prepared = await prepareRun({
      ...plan,
      question: "Do it.",
      loaded: validateConfig({
        agents: agents.map((id) => ({
          id,
          backend: {
            type: "chatcompletion",
            model: id,
            base_url: simulator.baseUrl("chat_completions"),
            api_key: "key-1234567890",
            cwd: "ws",
            ...backend,
          },
        })),
        orchestrator,
      }),
      env: { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home"), ...env },
      cwd: folder,
      logs: { cwd: folder, version: "1" },
    });
    const result = await prepared.start().finished;
    return {
      result,
      notes: prepared.notes,
      requests,
      results: (agent) => requests.filter(({ model }) => model === agent).flatMap((request) => toolTexts(request).slice(-1)),
    };
  } finally {
    await simulator.close();
  }
}

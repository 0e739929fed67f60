import type {
  ActivityFact,
  AnswerLabel,
  Channel,
  MonotonicMillis,
  ToolCallPart,
  ToolChoice,
  ToolHandler,
  ToolOutput,
  ToolResult,
  ToolSpec,
  TurnRequest,
} from "@massgen/contracts";
import { agentOf, answerAt, type RunState, type Signal, seenVersion } from "@massgen/kernel";
import type { Agent } from "../coordinator/options.js";
import type { TalkEffect, Work } from "../executor/work.js";
import type { NewVersion } from "../prompts/update.js";
import type { AskConsent } from "../tools/consent.js";
import { dispatchCalls } from "../tools/dispatch.js";
import { guardsOf, witnessesOf } from "../tools/guards.js";
import { toolsNow } from "../tools/tools-of.js";
import { actsAsPresenter } from "./acts-as-presenter.js";
import { admitRequest } from "./admit.js";
import { authorOf } from "./callable-now.js";
import { type Conversation, createConversation } from "./conversation.js";
import { estimateTokens } from "./kept-conversations.js";
import { definedTools, type Opening } from "./opening.js";
import type { Response } from "./read-action.js";
import type { RunContext } from "./run-context.js";
import { readable } from "./scrub.js";
import { streamTurn, type Turn } from "./stream-turn.js";
import { readVerdict, type Verdict } from "./verdict.js";

type Ended = Extract<Turn, { type: "ended" }>;

/** A verdict with the answers it puts into the conversation, as the agent is to be told of them. */
export interface Answered extends Verdict {
  readonly versions: readonly NewVersion[];
}

/** The conversation of one agent with its model, its tools and the kernel. */
export interface Talk {
  readonly agent: Agent;
  /** Its own tools, as they were when the conversation began. */
  readonly tools: readonly ToolHandler[];
  readonly conversation: Conversation;
  readonly startedAt: MonotonicMillis;
  /** One request; what the model says is part of the conversation afterwards, unless it refused to say anything. */
  turn(toolChoice: ToolChoice): Promise<Turn>;
  sort(turn: Ended): Response;
  /** Runs calls of the agent's own tools, or refuses them all with one text. Unknown names get an error. */
  serve(calls: readonly ToolCallPart[], refusal: string | null): Promise<ReadonlyMap<ToolCallPart, ToolOutput>>;
  /** Appends a result for each call of a response: `fallback` for those without an output. */
  answer(turn: Ended, outputs: ReadonlyMap<ToolCallPart, ToolOutput>, fallback: ToolOutput): void;
  offer(claim: Signal): Promise<Answered>;
  /** Every answer put into the conversation so far, oldest first. */
  shown(): readonly AnswerLabel[];
  /** Number of the newest input in the conversation. */
  heard(): number;
  /** What the conversation fills of the context window: as the vendor counted its last request, else estimated. */
  contextTokens(): number;
  /** Hands out the conversation as it stands. */
  transcribe(): void;
}

const TOOLS_AT_ONCE = 8;

export function createTalk(work: Work<TalkEffect>, run: RunContext, channel: Channel, opening: Opening): Talk {
  const { agent: id, round } = work.effect;
  const agent = run.agents.get(id);
  if (agent === undefined) throw new TypeError(`there is no agent ${JSON.stringify(id)} in this process`);
  const { signal } = work;
  const startedAt = run.ambient.clock.monotonic();
  const tools = toolsNow(agent).filter((tool) => opening.tools.some((spec) => spec.name === tool.spec.name));
  let usedTokens: number | null = null;
  let shown = opening.shown;
  let heard = agentOf(work.state(), id)?.heard ?? 0;
  const own = tools.map((tool) => tool.spec);
  const names = new Set(own.map(({ name }) => name));
  const report = (fact: ActivityFact): void => work.report({ type: "activity_reported", fact });
  const consent: AskConsent = (question) => run.consent.ask(question, { signal, report });
  // Its tools do what is delivered, although its conversation is a round.
  const acting: Channel = actsAsPresenter(work.state(), id) ? "presentation" : channel;
  const guards = guardsOf(work, run, acting, consent);
  const witnesses = witnessesOf(work, run, acting);
  const hooks = [...run.hooks, ...(agent.hooks ?? [])];
  /** What hooks want said once all calls have their results. */
  let injected: readonly string[] = [];
  const conversation = createConversation(opening.messages);
  const isWorkflow = ({ tool }: ToolCallPart): boolean => opening.workflow.some((name) => name === tool);
  const isClient = ({ tool }: ToolCallPart): boolean => (opening.client ?? []).some(({ name }) => name === tool);

  // In a round, what is defined may follow what may be called; the presentation and a single agent keep what they begin with.
  const defined = (): readonly ToolSpec[] =>
    channel === "work" && opening.workflow.length > 0 ? definedTools(work.state(), id, run, own) : opening.tools;

  function transcribe(): void {
    try {
      const messages = conversation.messages();
      run.onTranscript({
        agent: id,
        round,
        channel,
        shown: opening.shown,
        messages,
        openingMessages: opening.messages.length,
        tools: defined(),
      });
    } catch (error) {
      const message = `The transcript of a round could not be kept: ${error instanceof Error ? error.message : String(error)}`;
      work.emit({ type: "notice", level: "warning", agent: id, message });
    }
  }

  let lastText = "";
  return {
    agent,
    tools,
    conversation,
    startedAt,
    transcribe,

    shown: () => shown,
    heard: () => heard,
    contextTokens: () => usedTokens ?? estimateTokens(JSON.stringify(conversation.messages())),

    async turn(toolChoice) {
      const request: TurnRequest = {
        messages: conversation.messages(),
        tools: defined(),
        toolChoice,
        maxOutputTokens: agent.maxOutputTokens ?? null,
        options: agent.options ?? {},
      };
      const turn = await streamTurn(request, {
        backend: agent.backend,
        agent: id,
        round,
        channel,
        ambient: run.ambient,
        stallMs: run.stallMs,
        signal,
        emit: work.emit,
        report,
        admit: admitRequest(work, run, request, lastText),
        reportUsage(usage) {
          usedTokens = usage.inputTokens + usage.outputTokens;
          work.report({ type: "usage_reported", agent: id, round, usage });
        },
      });
      if (turn.type === "ended" && turn.text.trim() !== "" && turn.reason !== "refusal") lastText = turn.text;
      if (turn.type === "ended" && turn.reason !== "refusal") conversation.addAssistant(turn.message);
      return turn;
    },

    sort: ({ text, calls }) => ({
      agent: id,
      round,
      text,
      workflow: calls.filter(isWorkflow),
      ordinary: calls.filter((call) => !isWorkflow(call) && names.has(call.tool)),
      unknown: calls.filter((call) => !isWorkflow(call) && !names.has(call.tool) && !isClient(call)),
      client: calls.filter(isClient),
      defined: opening.workflow,
    }),

    serve: (calls, refusal) =>
      dispatchCalls(
        calls,
        {
          agent: id,
          round,
          tools,
          atOnce: agent.toolsAtOnce ?? TOOLS_AT_ONCE,
          knownNames: [...new Set([...opening.workflow, ...opening.tools.map((spec) => spec.name)])],
          ambient: run.ambient,
          signal,
          resultCapChars: run.resultCapChars,
          input: agent.backend.capabilities.input,
          report,
          emit: work.emit,
          channel: acting,
          guards,
          hooks,
          consent,
          witnesses,
          redact: run.redact,
          onServed: run.onServed,
          recall: run.recall,
          inject(text) {
            injected = [...injected, text];
          },
        },
        refusal,
      ),

    answer(turn, outputs, fallback) {
      conversation.addResults(resultsOf(turn, outputs, fallback));
      for (const text of injected) conversation.addUser(text);
      injected = [];
    },

    async offer(claim) {
      transcribe();
      const before = work.state();
      const verdict = readVerdict(await work.offer(claim), id);
      const isOver = verdict.isOver || signal.aborted;
      shown = [...shown, ...verdict.injected];
      // What comes with the prompt of the next conversation is not in this one.
      if (!verdict.isOver) heard = Math.max(heard, ...verdict.heard);
      return {
        ...verdict,
        isOver,
        versions: isOver ? [] : verdict.injected.flatMap((label) => newVersion(label, before, work.state(), id, run)),
      };
    },
  };
}

/** One result for every call, in the order of the calls. */
function resultsOf(turn: Ended, outputs: ReadonlyMap<ToolCallPart, ToolOutput>, fallback: ToolOutput): readonly ToolResult[] {
  const byBackend = new Map(turn.served.map((result) => [result.callId, result.output]));
  return turn.message.parts.flatMap((part): readonly ToolResult[] => {
    if (part.type !== "tool_call") return [];
    return [{ callId: part.callId, output: outputs.get(part) ?? byBackend.get(part.callId) ?? fallback }];
  });
}

function newVersion(label: AnswerLabel, before: RunState, now: RunState, viewer: string, run: RunContext): readonly NewVersion[] {
  const answer = answerAt(now, label);
  if (answer === undefined) return [];
  const known = seenVersion(before.agents[viewer]!, answer.by);
  const from = authorOf(label);
  return [
    {
      label,
      from,
      text: readable(answer.content, answer.by, viewer, now, run),
      check: answer.verification,
      replaces: known === 0 ? null : `${from}.${known}`,
    },
  ];
}

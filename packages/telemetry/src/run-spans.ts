import type { AgentCard, AgentId, Recorded } from "@massgen/contracts";
import { type Attributes, type Context, type Histogram, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { agentAttributes, modelAttributes } from "./attributes.js";

export interface Instruments {
  readonly duration: Histogram;
  readonly tokens: Histogram;
}

interface Agent {
  readonly card: AgentCard;
  round: Span | null;
  tokensIn: number;
  tokensOut: number;
}

/**
 * Makes spans and measurements of the facts of one run, as they come: the run, below it the rounds of its agents, below
 * them their requests and tool calls. Times are those of the facts. What anybody wrote is in none of them.
 */
export function createRunSpans(
  tracer: Tracer,
  { duration, tokens }: Instruments,
  parent: Context,
  marks: Attributes,
): { record(fact: Recorded): void; end(): void } {
  const agents = new Map<AgentId, Agent>();
  const open = new Map<string, { readonly span: Span; readonly startedAt: number }>();
  let run: Span | null = null;
  let lastAt = 0;

  const under = (span: Span | null): Context => (span === null ? parent : trace.setSpan(parent, span));

  function begin(fact: Extract<Recorded, { type: "run_started" }>): void {
    run = tracer.startSpan(
      "invoke_agent massgen",
      {
        kind: SpanKind.INTERNAL,
        startTime: fact.at,
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": "massgen",
          "massgen.run.id": fact.runId,
          "massgen.mode": fact.mode,
          "massgen.agents": fact.agents.length,
          ...marks,
        },
      },
      parent,
    );
    for (const card of fact.agents) agents.set(card.id, { card, round: null, tokensIn: 0, tokensOut: 0 });
  }

  function beginRound(id: AgentId, round: number, kind: string, at: number): void {
    const agent = agents.get(id);
    if (agent === undefined) return;
    endRound(id, at, null);
    const attributes = {
      "gen_ai.operation.name": "invoke_agent",
      ...agentAttributes(agent.card),
      ...modelAttributes(agent.card),
      "massgen.round": round,
      "massgen.round.kind": kind,
    };
    agent.round = tracer.startSpan(`invoke_agent ${agent.card.anon}`, { kind: SpanKind.INTERNAL, startTime: at, attributes }, under(run));
    agent.tokensIn = 0;
    agent.tokensOut = 0;
  }

  function endRound(id: AgentId, at: number, outcome: string | null, error: string | null = null): void {
    const agent = agents.get(id);
    if (agent?.round == null) return;
    if (outcome !== null) agent.round.setAttribute("massgen.round.outcome", outcome);
    agent.round.setAttributes({ "gen_ai.usage.input_tokens": agent.tokensIn, "gen_ai.usage.output_tokens": agent.tokensOut });
    if (error !== null) failed(agent.round, error);
    agent.round.end(at);
    agent.round = null;
  }

  /** The kind of a failure, never its message, which may quote what was said. */
  function failed(span: Span, kind: string): void {
    span.setAttribute("error.type", kind);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }

  function call(fact: Extract<Recorded, { type: "llm_call" }>): void {
    const agent = agents.get(fact.agent);
    if (agent === undefined) return;
    const model = modelAttributes(agent.card);
    if (fact.status === "started") {
      const attributes = { "gen_ai.operation.name": "chat", ...model, "massgen.purpose": fact.purpose };
      const span = tracer.startSpan(
        `chat ${agent.card.model}`,
        { kind: SpanKind.CLIENT, startTime: fact.at, attributes },
        under(agent.round ?? run),
      );
      open.set(fact.callId, { span, startedAt: fact.at });
      return;
    }
    const known = open.get(fact.callId);
    if (known === undefined) return;
    if (fact.status === "retrying") {
      known.span.addEvent("retry", {}, fact.at);
      return;
    }
    open.delete(fact.callId);
    if (fact.ttftMs !== null) known.span.setAttribute("massgen.time_to_first_token", fact.ttftMs / 1000);
    const error = fact.status === "failed" ? { "error.type": "_OTHER" } : {};
    if (fact.status === "failed") failed(known.span, "_OTHER");
    known.span.end(fact.at);
    duration.record((fact.durationMs ?? fact.at - known.startedAt) / 1000, { "gen_ai.operation.name": "chat", ...model, ...error });
  }

  function tool(fact: Extract<Recorded, { type: "tool_complete" }>): void {
    const agent = agents.get(fact.agent);
    const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": fact.name, "gen_ai.tool.call.id": fact.callId };
    const span = tracer.startSpan(
      `execute_tool ${fact.name}`,
      { kind: SpanKind.INTERNAL, startTime: fact.at - fact.durationMs, attributes },
      under(agent?.round ?? run),
    );
    if (!fact.ok) failed(span, "_OTHER");
    span.end(fact.at);
  }

  function usage({ agent: id, usage: spent }: Extract<Recorded, { type: "usage_recorded" }>): void {
    const agent = agents.get(id);
    if (agent === undefined) return;
    agent.tokensIn += spent.inputTokens;
    agent.tokensOut += spent.outputTokens;
    const common = { "gen_ai.operation.name": "chat", ...modelAttributes(agent.card) };
    tokens.record(spent.inputTokens, { ...common, "gen_ai.token.type": "input" });
    tokens.record(spent.outputTokens, { ...common, "gen_ai.token.type": "output" });
  }

  type FactOf<T extends Recorded["type"]> = Extract<Recorded, { readonly type: T }>;
  const told: { readonly [T in Recorded["type"]]?: (fact: FactOf<T>) => void } = {
    run_started: begin,
    round_started: ({ agent, round, kind, at }) => beginRound(agent, round, kind, at),
    presentation_started: ({ agent, round, at }) => beginRound(agent, round, "presentation", at),
    post_evaluation_started: ({ agent, round, at }) => beginRound(agent, round, "post_evaluation", at),
    llm_call: call,
    tool_complete: tool,
    usage_recorded: usage,
    answer_submitted: ({ agent, label, at }) => {
      run?.addEvent("massgen.answer", { "massgen.label": label }, at);
      endRound(agent, at, "answer");
    },
    vote_cast: ({ agent, targetLabel, at }) => {
      run?.addEvent("massgen.vote", { "massgen.label": targetLabel }, at);
      endRound(agent, at, "vote");
    },
    agent_failed: ({ agent, kind, at }) => endRound(agent, at, "error", kind),
    agent_timeout: ({ agent, at }) => endRound(agent, at, "timeout", "timeout"),
    agent_abstained: ({ agent, at }) => endRound(agent, at, "abstained"),
    agent_cancelled: ({ agent, at }) => endRound(agent, at, "cancelled"),
    agent_stopped: ({ agent, at }) => endRound(agent, at, "stop"),
    presentation_finished: ({ agent, at }) => endRound(agent, at, "presentation"),
    post_evaluation_finished: ({ agent, at }) => endRound(agent, at, "post_evaluation"),
    winner_selected: ({ winner, consensus, selection }) => {
      run?.setAttributes({ "massgen.winner": winner, "massgen.consensus": consensus, "massgen.selection": selection });
    },
    run_finished: ({ status }) => {
      run?.setAttribute("massgen.status", status);
      if (run !== null && status === "error") failed(run, status);
      end();
    },
  };

  function record(fact: Recorded): void {
    lastAt = fact.at;
    const tell = Object.hasOwn(told, fact.type) ? (told[fact.type] as ((fact: Recorded) => void) | undefined) : undefined;
    tell?.(fact);
  }

  /** Whatever is open ends with what was last heard of. */
  function end(): void {
    for (const { span } of open.values()) span.end(lastAt);
    open.clear();
    for (const id of agents.keys()) endRound(id, lastAt, null);
    run?.end(lastAt);
    run = null;
  }

  return { record, end };
}

import type { AnonId, ToolSpec, WorkflowTool } from "@massgen/contracts";

/** Names no tool of an agent may have, as the model sees them; `mcp__poll__vote` is no conflict. */
export const WORKFLOW_TOOL_NAMES: readonly string[] = ["new_answer", "vote", "stop", "submit", "restart_orchestration"];

/**
 * The definitions of the workflow tools of a run, `new_answer` and `vote` unless its mode has others: the same bytes in every request of a run's rounds and presentation, also
 * where they may not be called, because vendors hash tools first in their prompt caches. The enum names every agent of
 * the run; whether a target was shown to the voter is judged by the kernel. `confidence`: votes are weighed by it.
 */
export const workflowTools = (
  agents: readonly AnonId[],
  {
    confidence = false,
    defined = ["new_answer", "vote"],
  }: { readonly confidence?: boolean; readonly defined?: readonly WorkflowTool[] } = {},
): readonly ToolSpec[] => specsFor(agents, confidence).filter(({ name }) => defined.some((tool) => tool === name));

const specsFor = (agents: readonly AnonId[], confidence: boolean): readonly ToolSpec[] => [
  {
    name: "new_answer",
    description: "Submit your full answer to the original message.",
    input: {
      type: "object",
      properties: {
        content: {
          type: "string",
          description: "The whole answer, understandable on its own; which tools you used and what they showed; files by path.",
        },
      },
      required: ["content"],
      additionalProperties: false,
    },
  },
  {
    name: "vote",
    description: "Choose the answer that should be the team's result.",
    input: {
      type: "object",
      properties: {
        agent_id: { type: "string", enum: agents, description: "Whose answer is best." },
        reason: { type: "string", description: "What makes it better than the others." },
        ...(confidence ? { confidence: CONFIDENCE } : {}),
      },
      required: ["agent_id", "reason", ...(confidence ? ["confidence"] : [])],
      additionalProperties: false,
    },
  },
  {
    name: "stop",
    description: "Declare your part finished or blocked.",
    input: {
      type: "object",
      properties: {
        summary: { type: "string", description: "What was done, and how it connects to the parts of the others." },
        status: { type: "string", enum: ["complete", "blocked"] },
      },
      required: ["summary", "status"],
      additionalProperties: false,
    },
  },
];

const CONFIDENCE = { type: "number", minimum: 0, maximum: 1, description: "How sure you are that it is the best, from 0 to 1." } as const;

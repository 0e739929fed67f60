import type { ToolSpec } from "@massgen/contracts";

/** The two calls that end the judging of a presented answer; `submit` first. */
export const evaluationTools: readonly ToolSpec[] = [
  {
    name: "submit",
    description: "Release the final answer.",
    input: {
      type: "object",
      properties: { confirmed: { type: "boolean", enum: [true], description: "Always true." } },
      required: ["confirmed"],
      additionalProperties: false,
    },
  },
  {
    name: "restart_orchestration",
    description: "Send the team back to work with guidance.",
    input: {
      type: "object",
      properties: {
        reason: { type: "string", description: "What is wrong with the final answer." },
        instructions: { type: "string", description: "What to do in the next attempt, understandable without any history." },
      },
      required: ["reason", "instructions"],
      additionalProperties: false,
    },
  },
];

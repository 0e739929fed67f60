import type { AgentId, SnapshotRef, Verification } from "@massgen/contracts";
import type { RunContext } from "../round/run-context.js";

/** The longest end of a check's output that is kept. */
const SUMMARY_CHARS = 1500;

/** The user's check of an answer, before it is offered; `null` where nothing is checked. What goes wrong with it is its result. */
export async function checkAnswer(
  agent: AgentId,
  content: string,
  snapshot: SnapshotRef | null,
  { verify, ambient, redact }: RunContext,
  signal: AbortSignal,
): Promise<Verification | null> {
  if (verify === null) return null;
  const startedAt = ambient.clock.monotonic();
  try {
    const checked = await verify({ agent, content, snapshot }, signal);
    return { ...checked, summary: endOf(redact(checked.summary)) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      passed: null,
      exitCode: null,
      durationMs: ambient.clock.monotonic() - startedAt,
      summary: endOf(redact(`It could not be run: ${why}`)),
    };
  }
}

function endOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= SUMMARY_CHARS ? trimmed : `…${[...trimmed].slice(-SUMMARY_CHARS).join("")}`;
}

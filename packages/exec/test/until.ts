import { setImmediate as nextTurn } from "node:timers/promises";

/** Waits for a condition, not for a time; after 20 s it is told which one never came. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`never became true: ${condition.toString()}`);
    await nextTurn();
  }
}

import { seconds } from "./run.mjs";

/**
 * Says what a person is waiting for. On a terminal one line that counts the seconds; elsewhere one line when it is done.
 * Goes to stderr: stdout belongs to what was asked for.
 *
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(what, work) {
  const startedAt = performance.now();
  const live = process.stderr.isTTY === true;
  const line = () => `  ${what} … ${seconds(performance.now() - startedAt)}`;
  const ticking = live ? setInterval(() => process.stderr.write(`\r${line()}`), 200) : null;
  try {
    return await work();
  } finally {
    if (ticking !== null) clearInterval(ticking);
    process.stderr.write(`${live ? "\r" : ""}${line()}\n`);
  }
}

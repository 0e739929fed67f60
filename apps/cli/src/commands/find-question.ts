import { MassgenError } from "@massgen/contracts";
import type { Io } from "../io.js";

/** After this long without an end of standard input, somebody may not know that it is read. */
const NOTE_AFTER_MS = 2000;

/**
 * The question of a run: the argument, else what is piped in, else the `prompt` of the config.
 *
 * @throws MassgenError `CONFIG_INVALID` (exit 1) when there is none. Rejects when interrupted while it reads.
 */
export async function findQuestion(argument: string | null, prompt: string | null, io: Io): Promise<string> {
  const question = await lookForQuestion(argument, prompt, io);
  if (question !== null) return question;
  throw missing("There is no question.", 'Type it behind the command, in quotes: massgen "question", or pipe it in.');
}

/** The same; `null` when there is none and somebody sits at the terminal who can be asked. */
export async function lookForQuestion(argument: string | null, prompt: string | null, io: Io): Promise<string | null> {
  if (argument !== null) return checked(argument, "The question is empty.");
  if (!io.stdinIsTerminal) {
    const piped = (await readPiped(io)).trim();
    if (piped !== "") return piped;
    if (prompt !== null) return prompt;
    throw missing("There is no question: standard input is empty.", 'Give it as an argument, massgen "question", or pipe it in.');
  }
  return prompt;
}

function checked(question: string, message: string): string {
  if (question.trim() !== "") return question;
  throw missing(message, 'Write it in quotes: massgen "question".');
}

async function readPiped({ readStdin, interrupt, every, err }: Io): Promise<string> {
  const stop = every(NOTE_AFTER_MS, () => {
    stop();
    err.write("massgen: reading the question from standard input\n");
  });
  const interrupted = new Promise<never>((_, reject) => {
    interrupt.addEventListener("abort", () => reject(interrupt.reason), { once: true });
  });
  try {
    interrupt.throwIfAborted();
    return await Promise.race([readStdin(), interrupted]);
  } finally {
    stop();
  }
}

const missing = (message: string, hint: string): MassgenError => new MassgenError("CONFIG_INVALID", message, { exitCode: 1, hint });

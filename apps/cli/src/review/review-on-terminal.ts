import { MassgenError } from "@massgen/contracts";
import type { ProposedChanges, ReviewChanges, ReviewDecision } from "@massgen/sdk";
import type { OutputRequest } from "../args/request.js";
import type { Io } from "../io.js";
import { changeLine } from "../output/changed-files.js";
import { counted } from "../output/plain/names.js";
import type { Screen } from "../output/screen.js";
import { visibleText } from "../output/visible-text.js";

type Change = ProposedChanges["changes"][number];

/** @throws MassgenError `USAGE` when there is nobody to ask */
export function requireTerminal({ mode }: OutputRequest, { stdinIsTerminal, err }: Pick<Io, "stdinIsTerminal" | "err">): void {
  if (stdinIsTerminal && err.isTerminal && mode !== "automation" && mode !== "events") return;
  throw new MassgenError("USAGE", "--review asks before file changes are applied, and there is no terminal to ask on.", {
    exitCode: 2,
    hint: "Run it in a terminal, with the question as an argument; or leave --review out: changes are then applied at the end of the run.",
  });
}

/** Asks what is to become of the changes: on the screen, where it can; else below what it has shown. */
export const reviewOnTerminal = (io: Pick<Io, "err" | "ask">, screen: Pick<Screen, "close" | "review">): ReviewChanges =>
  screen.review ?? reviewInLines(io, screen);

const reviewInLines =
  (io: Pick<Io, "err" | "ask">, screen: Pick<Screen, "close">): ReviewChanges =>
  async (proposed) => {
    screen.close();
    const put = (text: string): void => io.err.write(text);
    const ask = async (prompt: string): Promise<string | null> => {
      const line = await io.ask(prompt);
      if (line === null) put("\n");
      return line?.trim().toLowerCase() ?? null;
    };
    const changes = proposed.changes.filter(({ path }) => !proposed.refused.has(path));
    if (changes.length === 0) return { accept: "all" };
    put(`\nThe presenter changed ${counted(changes.length, "file")} of yours; nothing is applied yet.\n`);
    put(changes.map((change, index) => `${numberOf(index)} ${changeLine(change)}\n`).join(""));
    for (;;) {
      const answer = await ask("Apply them? [a]ll, [s]ome, [n]one, show the [d]iff or the answer [t]ext, decide [l]ater: ");
      const done = answer === null ? ({ accept: "later" } as const) : DECISIONS[answer];
      if (done !== undefined) return done;
      if (answer === "d" || answer === "diff") put(diffText(changes));
      else if (answer === "t" || answer === "text") put(`${visibleText(proposed.answer).replace(/\n+$/, "")}\n`);
      else if (answer === "s" || answer === "some") return choose(changes, ask, put);
    }
  };

const DECISIONS: Readonly<Record<string, ReviewDecision>> = {
  a: { accept: "all" },
  all: { accept: "all" },
  n: { accept: "none" },
  none: { accept: "none" },
  l: { accept: "later" },
  later: { accept: "later" },
};

async function choose(
  changes: readonly Change[],
  ask: (prompt: string) => Promise<string | null>,
  put: (text: string) => void,
): Promise<ReviewDecision> {
  const paths: string[] = [];
  for (const [index, change] of changes.entries()) {
    for (;;) {
      const answer = await ask(`${numberOf(index)} ${changeLine(change)}\n     [y]es, [n]o, show the [d]iff: `);
      if (answer === null) return { accept: "later" };
      if (answer === "y" || answer === "yes") paths.push(change.path);
      if (["y", "yes", "n", "no"].includes(answer)) break;
      if (answer === "d" || answer === "diff") put(diffText([change]));
    }
  }
  return { accept: "some", paths };
}

const numberOf = (index: number): string => `${index + 1}.`.padStart(4);

const diffText = (changes: readonly Change[]): string =>
  changes.map((change) => `\n${visibleText(change.diff ?? `${changeLine(change)}\n`)}`).join("");

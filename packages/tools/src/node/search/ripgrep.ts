import { execFile, spawn } from "node:child_process";
import { access } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { refuse } from "../files/refusal.js";
import type { Candidate, Matches, Query } from "./query.js";

/** The program that came with the package for this machine; `null` when its package was not installed. */
export async function findRipgrep(): Promise<string | null> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    await access(rgPath);
    return rgPath;
  } catch {
    return null;
  }
}

/** A reading of `--type-list`: `ts` → its name patterns. */
export function ripgrepTypes(program: string): Promise<ReadonlyMap<string, readonly string[]>> {
  return new Promise((resolve, reject) => {
    execFile(program, ["--no-config", "--type-list"], { env: {} }, (error, stdout) => {
      if (error !== null) return reject(error);
      const lines = stdout.split("\n").flatMap((line) => {
        const [name, globs] = line.split(": ");
        return globs === undefined ? [] : [[name!, globs.split(", ")] as const];
      });
      resolve(new Map(lines));
    });
  });
}

/** Lines of one file that are remembered; a file that matches everywhere tells no more with more. */
const MATCHES_PER_FILE = 2_000;
const STDERR_CHARS = 2_000;

/**
 * Searches open files with ripgrep, given to it as they are open: it sees neither names nor folders, so no link that is
 * planted while it runs can lead it away. No configuration file, no shell, no environment of ours.
 */
export async function searchWithRipgrep(
  program: string,
  query: Query,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<Matches> {
  const found = new Map<Candidate, number[]>();
  if (candidates.length === 0) return found;
  const handedOver = process.platform !== "win32";
  const names = candidates.map((candidate, index) => (handedOver ? `/dev/fd/${FIRST_FD + index}` : candidate.real));
  const child = spawn(program, [...flags(query), "-e", query.pattern, "--", ...names], {
    env: {},
    signal,
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe", ...(handedOver ? candidates.map(({ handle }) => handle.fd) : [])],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  let errors = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    if (errors.length < STDERR_CHARS) errors += text.slice(0, STDERR_CHARS);
  });
  const [code] = await Promise.all([
    ended,
    readMatches(child.stdout!, new Map(names.map((name, index) => [name, candidates[index]!])), found),
  ]);
  // 0: something found; 1: nothing; 2: an error, with what was found before it.
  if (code === 2 && found.size === 0 && /regex|parse error/i.test(errors))
    refuse(
      "INVALID_ARGS",
      `The pattern is no regular expression of ripgrep. ${errors.replaceAll(/^rg: /gm, "").trim()} Set literal to search for the text as it is.`,
    );
  return found;
}

const FIRST_FD = 3;

const flags = ({ isLiteral, ignoreCase, multiline }: Query): readonly string[] => [
  ...["--no-config", "--no-follow", "--json", "--no-messages", "--threads=2", "--no-ignore", `--max-count=${MATCHES_PER_FILE}`],
  ...(isLiteral ? ["--fixed-strings"] : []),
  ignoreCase ? "--ignore-case" : "--case-sensitive",
  ...(multiline ? ["--multiline", "--multiline-dotall"] : []),
];

async function readMatches(output: Readable, byName: ReadonlyMap<string, Candidate>, found: Map<Candidate, number[]>): Promise<void> {
  for await (const line of createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY })) {
    const message = parseMessage(line);
    const candidate = message === null ? undefined : byName.get(message.name);
    if (message === null || candidate === undefined) continue;
    if (message.type === "binary") found.delete(candidate);
    else {
      const lines = found.get(candidate) ?? [];
      for (let number = message.from; number <= message.to; number++) lines.push(number);
      found.set(candidate, lines);
    }
  }
}

type Message =
  | { readonly type: "match"; readonly name: string; readonly from: number; readonly to: number }
  | { readonly type: "binary"; readonly name: string };

function parseMessage(line: string): Message | null {
  const { type, data } = JSON.parse(line) as {
    readonly type: string;
    readonly data: {
      readonly path?: { readonly text?: string };
      readonly line_number?: number;
      readonly lines?: { readonly text?: string };
      readonly binary_offset?: number | null;
    };
  };
  const name = data.path?.text ?? "";
  if (type === "end" && typeof data.binary_offset === "number") return { type: "binary", name };
  if (type !== "match" || typeof data.line_number !== "number") return null;
  const further = (data.lines?.text ?? "").replace(/\n$/, "").split("\n").length - 1;
  return { type: "match", name, from: data.line_number, to: data.line_number + further };
}

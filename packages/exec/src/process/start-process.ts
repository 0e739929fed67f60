import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { endTree } from "./end-tree.js";
import { gated } from "./gate.js";
import { collectOutput, type Output, type SpillPlace, type StreamName } from "./output.js";
import { holdProcesses } from "./process-ceiling.js";
import { findSurvivors, type Lineage } from "./survivors.js";
import { MARK_NAME, newMark, unwatch, watch } from "./watchdog.js";

/** Why a process is over. */
export type EndedBy = "itself" | "deadline" | "abort" | "output_limit" | "process_limit" | "kill";

export interface ProcessOptions {
  /** The program and its arguments; no shell reads them. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment of the child: nothing of the host's is added but a mark. */
  readonly env: Readonly<Record<string, string>>;
  /** What it reads on standard input. Default: nothing, the input is closed. */
  readonly stdin?: string;
  /** Standard input stays open for the caller, who writes to it and ends it. Default false. */
  readonly holdStdin?: boolean;
  /** Wall time until SIGTERM to everything it started, and 2 s later SIGKILL. `null`: no limit. */
  readonly timeoutMs: number | null;
  /** Ends it like the deadline does. */
  readonly signal?: AbortSignal;
  /** Bytes of output kept in memory per stream. Default 256 KiB. */
  readonly keepBytes?: number;
  /** Bytes of output after which it is ended. Default 100 MiB; `null`: no limit. */
  readonly outputLimitBytes?: number | null;
  /** Processes it may have at once: more are refused by a control group or, where there is none, end it. Default: no limit. */
  readonly maxProcesses?: number | null;
  /** Where longer output goes. Default: nowhere. */
  readonly spill?: SpillPlace | null;
  onChunk?(stream: StreamName, chunk: Buffer): void;
  /**
   * The command lives in a process namespace that dies with the first child (every OS sandbox): nothing can be left behind,
   * so nothing is looked for after a normal end.
   */
  readonly holdsItsTree?: boolean;
  /** Ends what the host's signals do not reach: processes in a container. Called besides, before SIGTERM and before SIGKILL. */
  endElsewhere?(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export interface ProcessResult extends Output {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedBy: EndedBy;
  readonly wallMs: number;
  /** Pids that could not be ended: normally none. */
  readonly survivors: readonly number[];
}

export interface RunningProcess {
  readonly pid: number;
  /** `null` unless it was asked for. Errors of it say nothing that the end of the process does not. */
  readonly stdin: Writable | null;
  /** Resolves once it is over, with everything it started. Never rejects. */
  readonly ended: Promise<ProcessResult>;
  readOutput(): Output;
  /** Ends it and everything it started; resolves with `ended`. Idempotent. */
  end(): Promise<ProcessResult>;
}

const KEEP_BYTES = 256 * 1024;
const OUTPUT_LIMIT_BYTES = 100 * 1024 * 1024;
/** How long pipes may stay open after the process itself has exited: somebody else may hold them for ever. */
const PIPES_MS = 1_000;

type GatedChild = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable; readonly stdin: Writable | null };

/**
 * Starts a program in a session of its own, with nothing but `stdin` to read, watched so that it cannot outlive this process.
 * Rejects when it cannot be started at all; a program that does not exist ends with exit code 127, as in a shell.
 */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  options.signal?.throwIfAborted();
  if (!statSync(options.cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`The working directory ${options.cwd} is no folder.`);
  const startedAt = performance.now();
  const mark = newMark();
  const { child, go } = await spawnGated(options, mark);
  const pid = child.pid as number; // Known once it has spawned.
  const output = collectOutput({
    keepBytes: options.keepBytes ?? KEEP_BYTES,
    spill: options.spill ?? null,
    ...(options.onChunk === undefined ? {} : { onChunk: options.onChunk }),
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const closed = once(child, "close");
  const lineage = { pid, mark: `${MARK_NAME}=${mark}` };

  let endedBy: EndedBy = "itself";
  let ending: Promise<readonly number[]> | null = null;
  const end = (why: EndedBy): void => {
    if (ending !== null) return;
    endedBy = why;
    ending = endEverywhere(lineage, options, why === "process_limit" ? 0 : undefined);
  };
  const limit = options.outputLimitBytes === undefined ? OUTPUT_LIMIT_BYTES : options.outputLimitBytes;
  const take = (stream: StreamName) => (chunk: Buffer) => {
    output.add(stream, chunk);
    if (limit !== null && output.totalBytes > limit) end("output_limit");
  };
  child.stdout.on("data", take("stdout"));
  child.stderr.on("data", take("stderr"));
  const onAbort = (): void => end("abort");
  options.signal?.addEventListener("abort", onAbort, { once: true });
  const letGo = holdProcesses(pid, options.maxProcesses ?? null, () => end("process_limit"));
  const timer = options.timeoutMs === null ? null : setTimeout(() => end("deadline"), options.timeoutMs);

  const finish = async (): Promise<ProcessResult> => {
    const [exitCode, signal] = await exited;
    clearTimeout(timer ?? undefined);
    options.signal?.removeEventListener("abort", onAbort);
    const why = endedBy;
    // What it left running ends with it: nobody would read its output or know of it.
    const survivors = await (ending ?? endRest(lineage, options));
    await within(closed, PIPES_MS);
    child.stdout.destroy();
    child.stderr.destroy();
    output.close();
    letGo();
    if (survivors.length === 0) unwatch(pid);
    return { ...output.read(), exitCode, signal, endedBy: why, wallMs: performance.now() - startedAt, survivors };
  };
  const ended = finish();
  go();
  return {
    pid,
    stdin: options.holdStdin === true ? child.stdin : null,
    ended,
    readOutput: () => output.read(),
    end() {
      end("kill");
      return ended;
    },
  };
}

/** Starts a program and waits for its end. Aborting `signal` ends it: the result then says so; nothing is thrown. */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  const running = await startProcess(options);
  return running.ended;
}

/** A shell that waits for `go`, and that the watchdog knows already. */
async function spawnGated(options: ProcessOptions, mark: string): Promise<{ readonly child: GatedChild; go(): void }> {
  const [program, ...args] = gated(options.argv) as [string, ...string[]];
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.env, [MARK_NAME]: mark },
    detached: true,
    stdio: [options.stdin === undefined && options.holdStdin !== true ? "ignore" : "pipe", "pipe", "pipe", "pipe"],
  }) as GatedChild;
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  const gate = child.stdio[3] as Writable;
  // A child that is gone already closes the pipe under our hands; its exit tells the story.
  gate.on("error", () => {});
  try {
    await watch(child.pid as number);
  } catch (error) {
    gate.destroy();
    throw new Error("Nothing is started: the watchdog that would end it if this process dies does not run.", { cause: error });
  }
  // A program need not read what it is given.
  child.stdin?.on("error", () => {});
  const go = (): void => {
    gate.end("go\n");
    if (options.holdStdin !== true) child.stdin?.end(options.stdin);
  };
  return { child, go };
}

/** After a normal end. */
async function endRest(lineage: Lineage, options: ProcessOptions): Promise<readonly number[]> {
  await options.endElsewhere?.("SIGKILL").catch(() => {});
  return options.holdsItsTree ? [] : endTree(lineage, { spareAtFirst: new Set(), graceMs: 0 });
}

async function endEverywhere(lineage: Lineage, options: ProcessOptions, graceMs: number | undefined): Promise<readonly number[]> {
  await options.endElsewhere?.("SIGTERM").catch(() => {});
  const spareAtFirst = options.holdsItsTree ? await wrapperOf(lineage, options.endElsewhere !== undefined) : new Set<number>();
  const left = await endTree(lineage, { spareAtFirst, ...(graceMs === undefined ? {} : { graceMs }) });
  await options.endElsewhere?.("SIGKILL").catch(() => {});
  return left;
}

/** The sandbox's own parent process is the one we started; everything it wraps is its descendant. */
async function wrapperOf(lineage: Lineage, runsElsewhere: boolean): Promise<ReadonlySet<number>> {
  // What runs elsewhere got its signal there; its messenger stays to tell how it ends.
  if (runsElsewhere) return new Set([lineage.pid]);
  const all = await findSurvivors(lineage);
  return all.length > 1 ? new Set([lineage.pid]) : new Set();
}

async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

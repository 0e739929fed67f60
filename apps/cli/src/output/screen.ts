import type { HumanBroker, RunEvent } from "@massgen/contracts";
import type { FinishedRun, PreparedRun, ReviewChanges } from "@massgen/sdk";
import type { WaitingQuestions } from "../interactive/waiting-questions.js";

/** What is known before the first model is called. */
export interface RunStart {
  readonly question: string;
  /** `null` without logs. */
  readonly logDirectory: string | null;
  readonly statusFile: string | null;
  /** No model is asked: a simulated team answers, and everything says so. */
  readonly simulated: boolean;
  /** What the agents have on this machine; absent where a run is only shown again. */
  readonly machine?: Pick<PreparedRun, "equipmentOf" | "redact">;
}

export interface RunEnd {
  readonly result: FinishedRun;
  readonly durationMs: number;
  /** Where `--output-file` put the answer. */
  readonly outputFile: string | null;
  /** Requests to models; default: those the screen has seen. */
  readonly calls?: number;
}

/**
 * One way to show a run. The calls come in this order: `open` (or not), `begin`, any number of `event`, then `end` or `fail`; `close` may come
 * at any time and more than once. None of them throws for what is in a run.
 */
export interface Screen {
  /** The run is being made ready, which takes a while where servers are started: something may be shown already. */
  readonly open?: (what: Pick<RunStart, "question" | "simulated">) => void;
  readonly begin: (start: RunStart) => void;
  readonly event: (event: RunEvent) => void;
  /** The run is over, with or without an answer; what went wrong is said afterwards, on stderr. */
  readonly end: (end: RunEnd) => void;
  /** What a person at the screen may do with the run; called once it has begun. */
  readonly control?: (controls: {
    readonly answerNow: () => Promise<boolean>;
    /** Says something to agents at work, to all or to one; false when nobody could hear it any more. */
    readonly send: (text: string, agent: string | null) => Promise<boolean>;
  }) => void;
  /** The run is a turn of a conversation: what is typed meanwhile may wait for its end. Called before `open`. */
  readonly converse?: (waiting: WaitingQuestions) => void;
  /** Asks a person by itself, where lines on stderr would disturb it; so does `review`. */
  readonly human?: HumanBroker;
  readonly review?: ReviewChanges;
  /**
   * Nothing is drawn until what it gives back is called, so that a person can type a line below what stands there. Absent where
   * nobody types.
   */
  readonly pause?: () => () => void;
  /** After `end`: resolves when nobody is reading any more. Default: at once. */
  readonly ended?: () => Promise<void>;
  /** The run was asked to stop; it is saved while this shows. */
  readonly interrupted: () => void;
  /** A line on stderr, without disturbing what is on the screen. */
  readonly say: (kind: "warning" | "debug" | "question", message: string) => void;
  /** The run broke off and nothing more comes; the reason is said on stderr afterwards. */
  readonly fail: (message: string, exitCode: number) => void;
  /** Gives the terminal back as it was. */
  readonly close: () => void;
}

import type {
  AgentId,
  Ambient,
  BackendAdapter,
  EventStore,
  Hook,
  HumanBroker,
  PermissionPolicy,
  RoundTranscript,
  RunId,
  RunMode,
  SnapshotRef,
  ToolChoice,
  ToolHandler,
  ToolSpec,
  TurnRequest,
  Verification,
  WorkspaceProvider,
} from "@massgen/contracts";
import type { Policy } from "@massgen/kernel";
import type { Executor } from "../executor/work.js";
import type { VotingSensitivity } from "../prompts/criterion.js";
import type { AgentFiles } from "../prompts/files.js";
import type { HistoryMessage } from "../prompts/history.js";
import type { Prompts } from "../prompts/prompts.js";
import type { AnswerOrder } from "../round/answer-order.js";
import type { OnServedCall, RecallCall } from "../tools/served-call.js";
import type { ArrivalOrder } from "./mailbox.js";

export interface Agent {
  readonly id: AgentId;
  readonly backend: BackendAdapter;
  /** Put last in every system message, verbatim. */
  readonly instructions?: string;
  readonly tools?: readonly ToolHandler[];
  /** Calls of one response that run at once, as far as they only read. Default 8. */
  readonly toolsAtOnce?: number;
  /**
   * Further tools, of servers that may change what they offer: asked for as each of its conversations begins. Within a
   * conversation the definitions stay as they are.
   */
  readonly changingTools?: () => readonly ToolHandler[];
  /** What it is told of files; absent: it has none. */
  readonly files?: AgentFiles;
  /** Asked around its tool calls, after those of the run. */
  readonly hooks?: readonly Hook[];
  /** Folders that are this agent's own, absolute: in comparing answers, everybody's folders are the same place. */
  readonly workspacePaths?: readonly string[];
  /** Wins over that of the run. */
  readonly votingSensitivity?: VotingSensitivity;
  /** Decomposition: its part of the whole. Absent or blank: it gets one when the run begins. */
  readonly subtask?: string;
  /** What the user wrote for this backend; passed on as it is. */
  readonly options?: TurnRequest["options"];
  /** Upper bound of tokens in one response; `null`, the default, leaves it to the vendor. */
  readonly maxOutputTokens?: number | null;
}

/** Any part of the policy; what is left out keeps its default (`defaultPolicy` of the kernel). */
export type PolicyOptions = Partial<Omit<Policy, "limits">> & { readonly limits?: Partial<Policy["limits"]> };

export interface VerifyRequest {
  readonly agent: AgentId;
  readonly content: string;
  /** Its files; `null` without any. */
  readonly snapshot: SnapshotRef | null;
}

export type Verify = (candidate: VerifyRequest, signal: AbortSignal) => Promise<Verification>;

export interface CoordinateOptions {
  readonly question: string;
  readonly agents: readonly Agent[];
  /** How they work together. Default: `voting`, with one agent `single`. */
  readonly mode?: RunMode;
  readonly policy?: PolicyOptions;
  /** Default: `memoryStore()`. */
  readonly store?: EventStore;
  /** Default: runs rounds and presentation in this process. */
  readonly executor?: Executor;
  /** What is left out is this machine's own. */
  readonly ambient?: Partial<Ambient>;
  /** Continues this run if the store knows it, else starts it under this id. */
  readonly runId?: RunId;
  /** Aborting cancels the run in order: no new rounds, work stopped, the end on record. */
  readonly signal?: AbortSignal;
  /** Drives every random choice. Default: drawn. */
  readonly seed?: number;
  /** What was said before the question. */
  readonly history?: readonly HistoryMessage[];
  /** Default `lenient`. */
  readonly votingSensitivity?: VotingSensitivity;
  /** Default `auto`. */
  readonly answerOrder?: AnswerOrder;
  /** Default `constant`: the same tool definitions in every request, which vendors' prompt caches reward. */
  readonly toolOffering?: "constant" | "per_round";
  /** Takes configured ids and model names out of the texts agents read of each other. Default false. */
  readonly scrubIdentities?: boolean;
  /** Milliseconds without any event of a backend after which its turn is given up. Default 300 000; time in tools does not count. */
  readonly stallMs?: number;
  /** Characters of one tool result that reach the model. Default 30 000. */
  readonly resultCapChars?: number;
  /** What agents in planning mode are told in place of our text; what is reserved is named besides. */
  readonly planningInstruction?: string;
  /** Decomposition: what the division of the work is to keep to, where it is worked out at run time. */
  readonly divisionGuidelines?: string;
  /** Gives agents folders and versions of them. Closed by whoever made it. */
  readonly workspaces?: WorkspaceProvider;
  /** A text of `author`, its paths as `viewer` can follow them. Pure and quick. Default: the text as it is. */
  readonly pathsFor?: (viewer: AgentId, author: AgentId, text: string) => string;
  /** `clear`, the default: an agent starts each round after an answer of its own in an empty folder. */
  readonly workspaceBetweenRounds?: "clear" | "keep";
  /** Judges what every tool call would touch. Without it nothing is refused but by the tools themselves. */
  readonly permissions?: PermissionPolicy;
  /** Checks an answer before it is offered; voters are shown the result. Rejecting means that it could not be checked. */
  readonly verify?: Verify;
  /**
   * Tools of the caller: offered to the presenter, behind all others. Calling one ends the run with the status `tool_calls`
   * and the fact `client_tools_called`; nothing is run here.
   */
  readonly clientTools?: readonly ToolSpec[];
  /** What the presenter must call, when there are tools of the caller. Default `auto`. */
  readonly clientToolChoice?: ToolChoice;
  /** Asked around every tool call of every agent. */
  readonly hooks?: readonly Hook[];
  /** Somebody who is asked where a policy or a hook wants a person's consent. Default: nobody, and such calls are refused. */
  readonly human?: HumanBroker;
  /** Takes secrets out of tool results before a model reads them. */
  readonly redact?: (text: string) => string;
  /** Texts of your own in place of ours. */
  readonly prompts?: Partial<Prompts>;
  /** IANA name of the zone in which prompts give the local time. Default: that of this process. */
  readonly timeZone?: string;
  /** Every call of an agent's tool with what came of it, as it ends. */
  readonly onServedCall?: OnServedCall;
  /** What calls came to before, for running a recorded run again. Default: calls are made. */
  readonly recallCall?: RecallCall;
  /** In which order what happens is judged, for running a recorded run again. Default: as it arrives. */
  readonly order?: ArrivalOrder;
  /** The conversation of a round as it stands, before each claim and at the round's end. */
  readonly onTranscript?: (transcript: RoundTranscript) => void;
}

import type { AgentId, Ambient, EpochMillis, Hook, PermissionPolicy, RoundTranscript, ToolChoice, ToolSpec } from "@massgen/contracts";
import type { Policy } from "@massgen/kernel";
import type { Agent, Verify } from "../coordinator/options.js";
import type { TeamFiles } from "../files/team-files.js";
import type { VotingSensitivity } from "../prompts/criterion.js";
import type { HistoryMessage } from "../prompts/history.js";
import type { Prompts } from "../prompts/prompts.js";
import type { Consent } from "../tools/consent.js";
import type { OnServedCall, RecallCall } from "../tools/served-call.js";
import type { AnswerOrder } from "./answer-order.js";
import type { KeptConversations } from "./kept-conversations.js";

/** What the conversations of a run have in common; fixed from its start. */
export interface RunContext {
  readonly agents: ReadonlyMap<AgentId, Agent>;
  readonly ambient: Ambient;
  readonly policy: Policy;
  readonly prompts: Prompts;
  readonly history: readonly HistoryMessage[];
  readonly votingSensitivity: VotingSensitivity;
  readonly answerOrder: AnswerOrder;
  /** `per_round`: tools are defined only where they may be called, with the targets there are. */
  readonly toolOffering: "constant" | "per_round";
  /** What others read of an agent's texts names neither configured ids nor models. */
  readonly scrubIdentities: boolean;
  readonly kept: KeptConversations;
  readonly files: TeamFiles;
  readonly permissions: PermissionPolicy | null;
  /** What the presenter may ask the caller to run. */
  readonly clientTools: readonly ToolSpec[];
  readonly clientToolChoice: ToolChoice;
  /** Of the run; an agent's own come after them. */
  readonly hooks: readonly Hook[];
  /** A person, as far as one can be asked. */
  readonly consent: Consent;
  readonly redact: (text: string) => string;
  readonly onServed: OnServedCall;
  /** `null`: calls of tools are made. */
  readonly recall: RecallCall | null;
  readonly verify: Verify | null;
  readonly stallMs: number;
  readonly resultCapChars: number;
  /** Text of one's own in place of ours, for agents in planning mode. */
  readonly planningInstruction: string | null;
  /** What the division of the work is to keep to besides. */
  readonly divisionGuidelines: string | null;
  readonly timeZone: string;
  startedAt(): EpochMillis;
  /** Identifies what an answer says, whoever's folders it names. */
  fingerprint(text: string): string;
  readonly onTranscript: (transcript: RoundTranscript) => void;
}

import type { AgentId, Approval, HumanRequest } from "@massgen/contracts";

/** One file of a change that waits for a person. */
export interface ProposedFile {
  readonly path: string;
  /** All about it on one line: kind, path, lines added and removed. */
  readonly line: string;
  /** Unified; `null` where there is no text to compare. */
  readonly diff: string | null;
}

/** What a person decides about changes. `later` leaves them waiting. */
export type ReviewReply = { readonly accept: "all" | "none" | "later" } | { readonly accept: "some"; readonly paths: readonly string[] };

export interface ConsentDialog {
  readonly kind: "consent";
  readonly agent: AgentId | null;
  readonly prompt: string;
  /** Milliseconds of the screen's clock. */
  readonly askedMs: number;
  readonly scroll: number;
}

export interface ReviewDialog {
  readonly kind: "review";
  readonly files: readonly ProposedFile[];
  readonly answer: string;
  readonly askedMs: number;
  /** The file under the cursor. */
  readonly at: number;
  readonly marked: ReadonlySet<string>;
  readonly page: "list" | "diff" | "answer";
  readonly scroll: number;
}

/** A question the run waits with. It stands before every modal but the one that stops the run. */
export type Dialog = ConsentDialog | ReviewDialog;

export const consentDialog = ({ agent, prompt }: Pick<HumanRequest, "agent" | "prompt">, askedMs: number): ConsentDialog => ({
  kind: "consent",
  agent,
  prompt,
  askedMs,
  scroll: 0,
});

export const reviewDialog = (files: readonly ProposedFile[], answer: string, askedMs: number): ReviewDialog => ({
  kind: "review",
  files,
  answer,
  askedMs,
  at: 0,
  marked: new Set(),
  page: "list",
  scroll: 0,
});

/** What a key answers; `null`: nothing yet. */
export type Reply = { readonly is: "consent"; readonly approval: Approval } | { readonly is: "review"; readonly decision: ReviewReply };

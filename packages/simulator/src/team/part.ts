/** A vote: for the answer that begins like `for`, because of `reason`. */
export interface Ballot {
  readonly for: string;
  readonly reason: string;
}

/** What one simulated agent has to say to one question. */
export interface Part {
  readonly answer: string;
  /** The better answer it gives after seeing the others; `null` for those that only vote. */
  readonly improvement: string | null;
  /** While nobody has improved anything. */
  readonly earlyBallot: Ballot;
  /** Once the improvement is among the answers. */
  readonly lateBallot: Ballot;
  /** What it presents as the winner. */
  readonly final: string;
  /** What it says without a team. */
  readonly alone: string;
  /** What it says before it acts, as models do. */
  readonly remarks: { readonly answer: string; readonly improvement: string; readonly earlyBallot: string; readonly lateBallot: string };
}

/** The parts of a team, in its order, and the answer that comes in the second round. */
export interface Play {
  readonly parts: readonly Part[];
  readonly improvement: string;
}

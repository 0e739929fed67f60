/** What a screen is given to show, and how long it is watched. */
export interface Workload {
  readonly screen: "ours" | "floor";
  readonly agents: number;
  /** Of each agent; 0: nothing comes any more. */
  readonly tokensPerSecond: number;
  readonly seconds: number;
  /** Of text and of tool calls, before anything is watched. */
  readonly historyLines: number;
  readonly toolCalls: number;
  /** Characters in a token. Default: Markdown as models write it. */
  readonly charsPerToken?: number;
  /** The run is over, and somebody still looks at it. */
  readonly isOver?: boolean;
  /** Where the report goes. */
  readonly report: string;
}

/** What the process of a screen found out about itself while it was watched. */
export interface Report {
  readonly seconds: number;
  readonly cpuMs: number;
  readonly writes: number;
  readonly bytes: number;
  /** Bytes of text that came meanwhile. */
  readonly textBytes: number;
  readonly frames: number;
  /** Of the frames, those that ended more than 50 ms after they were due. */
  readonly lateFrames: number;
  readonly peakRssMiB: number;
  /** After a collection, at the end. */
  readonly rssMiB: number;
}

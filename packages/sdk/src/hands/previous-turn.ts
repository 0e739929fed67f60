/** The files of an earlier turn of the conversation: read by every agent, changed by none. */
export interface PreviousTurn {
  /** From 1. */
  readonly turn: number;
  /** Absolute: the folder of its delivered files. The same in every later turn, as answers name files by it. */
  readonly path: string;
  /** It was cut off: the folder holds one for each agent. It is read and nothing begins with it. */
  readonly isCutOff?: true;
}

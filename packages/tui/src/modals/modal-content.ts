export interface ModalContent {
  readonly title: string;
  readonly lines: readonly string[];
  /** How many there are to step through with left and right; 1: only this one. */
  readonly of: number;
  /** The line that is to stay in sight, in place of what was scrolled. */
  readonly cursor?: number;
}

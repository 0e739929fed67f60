/** Purpose: after a response cut by the token limit: nothing cut was run, go on from there, and be brief. */
export const truncated = (): string =>
  "Your response was cut off by the token limit. A tool call that was cut off has not been run. Go on exactly where it stopped without repeating anything, and finish briefly.";

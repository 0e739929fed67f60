import { type Callable, callable } from "./callable.js";

export interface WrapUpView extends Callable {
  readonly secondsLeft: number;
}

/** Purpose: asks for a result while there is still time, and takes away the fear of submitting something unfinished. */
export function wrapUp(view: WrapUpView): string {
  const time = `Time is nearly over: about ${view.secondsLeft} seconds are left.`;
  return view.tools.length === 0
    ? `${time} Stop gathering, and write your answer as it stands now.`
    : `${time} ${whatNow(view)} ${callable(view)}`;
}

function whatNow({ tools }: Callable): string {
  if (tools.includes("stop")) return "Submit the state of your part or stop now; it can be refined in a later round.";
  return tools.includes("vote") || tools.length === 0
    ? "Submit the state of your work or vote now; it can be refined in a later round."
    : "Submit the state of your work now.";
}

/** Purpose: the answer to every other tool once the time is over. */
export const timeIsOver = (view: Callable): string =>
  view.tools.length === 0
    ? "Refused: the time of this round is over and no tool is served any more. Write your answer as it stands now."
    : `Refused: the time of this round is over and only the closing tools are served. ${callable(view)}`;

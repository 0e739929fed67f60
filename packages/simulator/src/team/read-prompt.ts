import type { SimulatedMessage, SimulatedPrompt } from "../request.js";

/** What a prompt of MassGen asks of a model, as far as a stand-in must understand it. */
export interface PromptView {
  /**
   * `answer`: nothing is shown yet; `evaluate`: answers are; `present`: as the winner; `judge`: whether the final answer is
   * released; `plan`: what of the task cannot be undone; `divide`: the parts of the others; `reword`: the question in
   * other words; `compare`: whether such words ask for the same; `plain`: no team at all.
   */
  readonly asks: "answer" | "evaluate" | "present" | "judge" | "plan" | "divide" | "reword" | "compare" | "plain";
  readonly question: string;
  /** Newest version of each agent, in the order in which they were first shown. */
  readonly answers: readonly ShownText[];
  readonly mayAnswer: boolean;
  /** Whom one may vote for now; ids such as `agent2`. */
  readonly mayVoteFor: readonly string[];
  /** In decomposition: it may say that its part is done. */
  readonly mayStop: boolean;
  /** Whose parts are asked for; ids such as `agent2`. */
  readonly partsFor: readonly string[];
  /** How many wordings are asked for, or are to be compared. */
  readonly wordings: number;
  /** Workflow calls this conversation has already made, oldest first: what is still going on was not accepted. */
  readonly tried: readonly string[];
}

export interface ShownText {
  readonly from: string;
  readonly text: string;
}

const ANSWER = /<answer from="(agent\d+)">\n([\s\S]*?)\n<\/answer>/g;
const QUESTION = /<original_message>\n([\s\S]*)\n<\/original_message>/;
/** The one sentence of every prompt, update and refusal that says what may be called. */
const CALLABLE = /You may call ((?:`new_answer`|`stop`|`vote` for [^.`]*|[, ]|or )+)\./g;
const PRESENTING = /present the final (?:result|answer)|the rounds are over|final answer for the person/i;
const PLANNING = /^\{"irreversible": true or false/m;
/** The shape of the reply that is asked for, the last line of the prompt. */
const DIVIDING = /^\{"agent\d+": "…"(?:, "agent\d+": "…")*\}$/m;
const REWORDING = /^\{"wordings": \["…"(?:, "…")*\]\}$/m;
const COMPARING = /^\{"verdicts": \[\{"same": …, "confidence": …\}(?:, \{"same": …, "confidence": …\})*\]\}$/m;
const MOMENT = /^\(?Date and time: .*$/gm;

/**
 * Reads the markers of our own prompts: `<original_message>`, `<answer from="agent1">`, "You may call …". Where a marker
 * is missing, because a prompt was overridden, it falls back on what the request itself shows: its tools, its tool
 * choice, the texts that stand behind an agent's name. This is the only file that knows how prompts look.
 */
export function readPrompt(prompt: SimulatedPrompt): PromptView {
  const shown = prompt.messages.filter((message) => message.role !== "assistant");
  const first = shown[0]?.text ?? "";
  const marked = QUESTION.exec(first);
  const question = marked?.[1] ?? unmarkedQuestion(prompt);
  // What the user quotes is the task, not the state of the team.
  const around = [marked === null ? first : first.replace(marked[0], () => ""), ...shown.slice(1).map((message) => message.text)];
  const answers = shownAnswers(around);
  const tried = triedCalls(prompt.messages);
  const isTeam = prompt.tools.includes("new_answer") || prompt.tools.includes("vote");
  const noTeam = { question, answers, mayAnswer: false, mayStop: false, mayVoteFor: [], partsFor: [], wordings: 0, tried };
  if (prompt.tools.includes("submit")) return { asks: "judge", ...noTeam };
  if (prompt.tools.length === 0 && PLANNING.test(around[0]!)) return { asks: "plan", ...noTeam };
  const parts = prompt.tools.length === 0 ? DIVIDING.exec(around[0]!)?.[0] : undefined;
  if (parts !== undefined) return { ...noTeam, asks: "divide", partsFor: parts.match(/agent\d+/g) ?? [] };
  const rewording = prompt.tools.length === 0 ? REWORDING.exec(around[0]!)?.[0] : undefined;
  if (rewording !== undefined) return { ...noTeam, asks: "reword", wordings: rewording.split("…").length - 1 };
  const comparing = prompt.tools.length === 0 ? COMPARING.exec(around[0]!)?.[0] : undefined;
  if (comparing !== undefined) return { ...noTeam, asks: "compare", wordings: comparing.split('"same"').length - 1 };
  if (!isTeam) return { asks: answers.length > 0 ? "present" : "plain", ...noTeam };
  if (prompt.toolChoice === "none" || PRESENTING.test(around[0]!.replace(ANSWER, ""))) return { asks: "present", ...noTeam };
  const callable = callableNow(prompt, around, answers);
  return { asks: callable.mayVoteFor.length > 0 ? "evaluate" : "answer", ...noTeam, ...callable };
}

function unmarkedQuestion({ messages }: SimulatedPrompt): string {
  const last = messages.findLast((message) => message.role === "user")?.text ?? "";
  return last.replace(MOMENT, "").trim();
}

function shownAnswers(texts: readonly string[]): readonly ShownText[] {
  const answers = new Map<string, string>();
  for (const text of texts) {
    const marked = [...text.matchAll(ANSWER)];
    for (const [, from, answer] of marked) answers.set(from!, answer!);
    if (marked.length === 0) for (const { from, text: answer } of namedParagraphs(text)) answers.set(from, answer);
  }
  return [...answers].map(([from, text]) => ({ from, text }));
}

/** Without our markers: what follows a line that names an agent and says that its answer comes, `Answer from agent2:`. */
function namedParagraphs(text: string): readonly ShownText[] {
  const heads = [
    ...text.matchAll(
      /^.{0,40}\b(?:answer|solution)\b.{0,20}\b(agent\d+)\b.{0,20}$|^.{0,10}\b(agent\d+)\b.{0,20}\b(?:answer|solution)\b.{0,20}$/gim,
    ),
  ];
  return heads.map((head, index) => ({
    from: (head[1] ?? head[2])!,
    text: text.slice(head.index + head[0].length, heads[index + 1]?.index ?? text.length).trim(),
  }));
}

function callableNow(
  prompt: SimulatedPrompt,
  texts: readonly string[],
  answers: readonly ShownText[],
): Pick<PromptView, "mayAnswer" | "mayStop" | "mayVoteFor"> {
  const sentence = texts.flatMap((text) => [...text.matchAll(CALLABLE)]).at(-1)?.[1];
  if (sentence === undefined)
    return {
      mayAnswer: prompt.tools.includes("new_answer"),
      mayStop: prompt.tools.includes("stop"),
      mayVoteFor: prompt.tools.includes("vote") ? answers.map((answer) => answer.from) : [],
    };
  return {
    mayAnswer: sentence.includes("`new_answer`"),
    mayStop: sentence.includes("`stop`"),
    mayVoteFor: sentence.match(/agent\d+/g) ?? [],
  };
}

function triedCalls(messages: readonly SimulatedMessage[]): readonly string[] {
  const names = messages.flatMap((message) => message.toolCalls ?? []).map((call) => call.name);
  return names.filter((name) => name === "new_answer" || name === "vote");
}

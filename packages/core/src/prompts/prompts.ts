import { answerBlock } from "./answers.js";
import { conduct } from "./conduct.js";
import { criterion } from "./criterion.js";
import { division } from "./division.js";
import { feedback } from "./feedback.js";
import { files } from "./files.js";
import { assembly, direct, synthesis } from "./final-requests.js";
import { goOn, roundOver } from "./go-on.js";
import { history } from "./history.js";
import { identity } from "./identity.js";
import { hearFirst, saidAfterText, saidNow, saidSince } from "./input.js";
import { irreversibility } from "./irreversibility.js";
import { answerRules, partRules, partsText, partText, refineRules, stageRules, stageText, staleStop } from "./modes.js";
import { novelty } from "./novelty.js";
import { originalMessage } from "./original-message.js";
import { comparison, paraphraseText, paraphrasing } from "./paraphrasing.js";
import { execution, planning, reserved } from "./planning.js";
import { decideNow, evaluator, postEvaluation } from "./post-evaluation.js";
import { decisionIsMade, presentation } from "./presentation.js";
import { alsoRefused, refusal } from "./refusal.js";
import { reopened } from "./reopened.js";
import { roundText } from "./round-text.js";
import { rules } from "./rules.js";
import { sayIt, single } from "./single.js";
import { truncated } from "./truncated.js";
import { staleVote, update } from "./update.js";
import { timeIsOver, wrapUp } from "./wrap-up.js";

/** Every text an agent gets from us, by its place; see the file of each for its purpose. */
export interface Prompts {
  readonly rules: typeof rules;
  readonly conduct: typeof conduct;
  readonly criterion: typeof criterion;
  readonly novelty: typeof novelty;
  readonly files: typeof files;
  readonly identity: typeof identity;
  readonly planning: typeof planning;
  readonly reserved: typeof reserved;
  readonly execution: typeof execution;
  readonly irreversibility: typeof irreversibility;
  readonly paraphrasing: typeof paraphrasing;
  readonly comparison: typeof comparison;
  readonly paraphraseText: typeof paraphraseText;
  readonly division: typeof division;
  readonly feedback: typeof feedback;
  readonly evaluator: typeof evaluator;
  readonly postEvaluation: typeof postEvaluation;
  readonly decideNow: typeof decideNow;
  readonly history: typeof history;
  readonly originalMessage: typeof originalMessage;
  readonly saidSince: typeof saidSince;
  readonly saidNow: typeof saidNow;
  readonly saidAfterText: typeof saidAfterText;
  readonly hearFirst: typeof hearFirst;
  readonly answerBlock: typeof answerBlock;
  readonly roundText: typeof roundText;
  readonly reopened: typeof reopened;
  readonly goOn: typeof goOn;
  readonly roundOver: typeof roundOver;
  readonly update: typeof update;
  readonly staleVote: typeof staleVote;
  readonly wrapUp: typeof wrapUp;
  readonly timeIsOver: typeof timeIsOver;
  readonly refusal: typeof refusal;
  readonly alsoRefused: typeof alsoRefused;
  readonly truncated: typeof truncated;
  readonly presentation: typeof presentation;
  readonly decisionIsMade: typeof decisionIsMade;
  readonly single: typeof single;
  readonly sayIt: typeof sayIt;
  readonly refineRules: typeof refineRules;
  readonly answerRules: typeof answerRules;
  readonly stageRules: typeof stageRules;
  readonly stageText: typeof stageText;
  readonly partRules: typeof partRules;
  readonly partsText: typeof partsText;
  readonly partText: typeof partText;
  readonly staleStop: typeof staleStop;
  readonly synthesis: typeof synthesis;
  readonly assembly: typeof assembly;
  readonly direct: typeof direct;
}

export const defaultPrompts: Prompts = {
  rules,
  conduct,
  criterion,
  novelty,
  files,
  identity,
  planning,
  reserved,
  execution,
  irreversibility,
  paraphrasing,
  comparison,
  paraphraseText,
  division,
  feedback,
  evaluator,
  postEvaluation,
  decideNow,
  history,
  originalMessage,
  saidSince,
  saidNow,
  saidAfterText,
  hearFirst,
  answerBlock,
  roundText,
  reopened,
  goOn,
  roundOver,
  update,
  staleVote,
  wrapUp,
  timeIsOver,
  refusal,
  alsoRefused,
  truncated,
  presentation,
  decisionIsMade,
  single,
  sayIt,
  refineRules,
  answerRules,
  stageRules,
  stageText,
  partRules,
  partsText,
  partText,
  staleStop,
  synthesis,
  assembly,
  direct,
};

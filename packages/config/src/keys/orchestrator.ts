import { built, closed, enabledBy, free, ignored, type KeyTable, kept, off, refused } from "../key-table.js";
import {
  anything,
  bool,
  count,
  countOrNull,
  countOrZero,
  list,
  listOf,
  map,
  number,
  oneOf,
  patience,
  seconds,
  share,
  text,
  textOrBool,
  texts,
  thresholdOrNull,
  wholeNumber,
} from "../shapes.js";
import { helperBackend } from "./backend.js";
import { budgetTable } from "./budget.js";
import { coordinationTable } from "./coordination.js";
import { mediaToolKeys } from "./media.js";
import { votingSensitivity } from "./voting-sensitivity.js";

/** Other wordings of the question. */
export const paraphrasingKeys = {
  enabled: built(bool),
  num_variants: built(count),
  semantic_threshold: built(share),
  validate_semantics: built(bool),
};

const paraphrasing = closed("CFG043", "CFG033", {
  ...paraphrasingKeys,
  backend: ignored("paraphrasing", map, { keys: () => helperBackend }),
  strategy: ignored("paraphrasing", oneOf(["balanced", "diverse", "conservative", "adaptive"])),
  temperature_range: ignored("paraphrasing", list),
  cache_enabled: ignored("paraphrasing", bool),
  use_chain_of_thought: ignored("paraphrasing", bool),
});

const permission = oneOf(["read", "write", "ro", "rw"]);

const contextPath = closed("CFG043", "CFG033", {
  path: built(text, { code: "CFG100" }),
  permission: built(permission, { code: "CFG036" }),
  access: built(permission, { code: "CFG036" }),
  protected_paths: built(texts, { code: "CFG101" }),
});

const timeout = closed("CFG044", "CFG082", { orchestrator_timeout_seconds: built(seconds) });

/** The rules of a run that work (docs/spec/config.md 12). */
export const orchestratorKeys = {
  voting_sensitivity: built(votingSensitivity, { code: "CFG080" }),
  max_new_answers_per_agent: built(countOrNull, { code: "CFG081" }),
  max_new_answers_global: built(countOrNull, { code: "CFG081" }),
  fairness_enabled: built(bool),
  fairness_lead_cap_answers: built(countOrZero, { code: "CFG081" }),
  max_midstream_injections_per_round: built(countOrZero, { code: "CFG081" }),
  disable_injection: built(bool),
  defer_peer_updates_until_restart: built(bool),
  defer_voting_until_all_answered: built(bool),
  straggler_patience: built(patience),
  tie_break: built(listOf(["peer_votes", "confidence", "registration_order", "latest_answer"]), { code: "CFG036" }),
  answer_order: built(oneOf(["auto", "rotate", "fixed"]), { code: "CFG036" }),
  single_agent_mode: built(oneOf(["auto", "direct", "refine"]), { code: "CFG036" }),
  skip_coordination_rounds: built(bool),
  skip_voting: built(bool),
  skip_final_presentation: built(bool),
  final_answer_strategy: built(oneOf(["winner_reuse", "winner_present", "synthesize"]), { code: "CFG036" }),
  coordination_mode: built(oneOf(["voting", "decomposition"]), { code: "CFG036" }),
  presenter_agent: built(text, { code: "CFG084" }),
  workflow: built(oneOf(["parallel", "sequential"]), { code: "CFG036" }),
  answer_novelty_requirement: built(oneOf(["lenient", "balanced", "strict"]), { code: "CFG080" }),
  max_rounds: built(countOrNull, { code: "CFG081" }),
  convergence_threshold: built(thresholdOrNull),
  voting_method: built(oneOf(["plurality", "weighted_by_confidence"]), { code: "CFG036" }),
  self_vote_weight: built(share),
  enable_restarts: built(bool),
  restart_after_stagnation: built(countOrNull, { code: "CFG081" }),
  tool_offering: built(oneOf(["constant", "per_round"]), { code: "CFG036" }),
  scrub_identities: built(bool),
  seed: built(wholeNumber),
  record: built(bool),
  debug_final_answer: built(textOrBool),
  verify: built(text),
  verify_required: built(bool),
  verify_timeout_seconds: built(seconds),
  budget: built(map, { keys: () => budgetTable, code: "CFG036" }),
  timeout: built(map, { keys: () => timeout, code: "CFG082" }),
};

const laterKeys = {
  coordination: built(map, { keys: () => coordinationTable, code: "CFG091" }),
  snapshot_storage: built(text),
  agent_temporary_workspace: built(text),
  session_storage: kept(text),
  context_paths: built(list, { each: () => contextPath }),
  dspy: built(map, { keys: () => paraphrasing, code: "CFG091", ...enabledBy("enabled") }),
  voting_threshold: ignored("checklist", number),
  checklist_require_gap_report: refused("checklist", bool, off(true)),
  gap_report_mode: refused("checklist", oneOf(["changedoc", "separate", "none"])),
  max_checklist_calls_per_round: refused("checklist", count, off(1)),
  checklist_first_answer: refused("checklist", bool),
  allow_midstream_peer_updates_before_checklist_submit: ignored("checklist", bool),
  docker: refused("docker", map, { keys: () => free }),
  interactive_mode: kept(anything),
  max_turns: kept(count),
  type: kept(text),
  enable_nlip: ignored("nlip", bool),
  nlip: ignored("nlip", map, { keys: () => free }),
  nlip_config: refused("nlip", map, { keys: () => free }),
  ...mediaToolKeys,
};

export const orchestratorTable: KeyTable = closed("CFG043", "CFG033", { ...orchestratorKeys, ...laterKeys });

import { built, closed, enabledBy, free, ignored, type KeySpec, type KeyTable, off, refused } from "../key-table.js";
import {
  anything,
  bool,
  count,
  countOrNull,
  countOrZero,
  list,
  map,
  number,
  oneOf,
  seconds,
  share,
  text,
  textOrBool,
  texts,
} from "../shapes.js";
import { agentTable } from "./agent.js";

const section = (keys: { readonly [key: string]: KeySpec }): KeyTable => closed("CFG043", "CFG033", keys);

const persona = section({
  enabled: ignored("personas", bool),
  diversity_mode: ignored("personas", oneOf(["perspective", "implementation", "methodology"])),
  persona_guidelines: ignored("personas", text),
  persist_across_turns: ignored("personas", bool),
  after_first_answer: ignored("personas", text),
});

const criteriaGenerator = section({
  enabled: ignored("criteria", bool),
  persist_across_turns: ignored("criteria", bool),
  min_criteria: ignored("criteria", count),
  max_criteria: ignored("criteria", count),
});

const childTeam = section({
  enabled: ignored("subagents", bool),
  agents: ignored("subagents", list, { each: () => agentTable }),
  inherit_spawning_agent_backend: ignored("subagents", bool),
  shared_child_team_types: ignored("subagents", texts),
  coordination: ignored("subagents", map, { keys: () => coordinationTable }),
  max_new_answers: ignored("subagents", count),
  enable_web_search: ignored("subagents", bool),
  parse_at_references: ignored("subagents", bool),
  final_answer_strategy: ignored("subagents", text),
  disable_injection: ignored("subagents", bool),
  defer_voting_until_all_answered: ignored("subagents", bool),
});

const standaloneCheckpoint = section({
  enabled: ignored("checkpoints", bool),
  team_config: ignored("checkpoints", text),
  mode: ignored("checkpoints", oneOf(["generate", "verify"])),
  single_checkpoint: ignored("checkpoints", bool),
  include_workspace_context: ignored("checkpoints", bool),
});

const depth = oneOf(["low", "medium", "high"]);

/** Decomposition: how the parts of agents without a `subtask` are found. */
export const decomposerKeys = {
  enabled: built(bool),
  decomposition_guidelines: built(text),
  timeout_seconds: built(seconds),
};

/** Features of coordination beyond answering and voting that work (docs/spec/config.md 13). */
export const coordinationKeys = {
  use_two_tier_workspace: built(bool),
  enable_planning_mode: built(bool),
  planning_mode_instruction: built(text),
  max_orchestration_restarts: built(countOrZero),
  task_decomposer: built(map, { keys: () => section(decomposerKeys) }),
};

/** With those that are not built yet. */
export const coordinationTable: KeyTable = section({
  ...coordinationKeys,
  enable_agent_task_planning: ignored("planning", bool),
  max_tasks_per_plan: ignored("planning", count),
  task_planning_filesystem_mode: ignored("planning", bool),
  enable_memory_filesystem_mode: ignored("memory", bool),
  use_skills: ignored("skills", bool),
  massgen_skills: refused("skills", texts),
  skills_directory: ignored("skills", text),
  load_previous_session_skills: ignored("skills", bool),
  plan_depth: refused("planning", oneOf(["dynamic", "shallow", "medium", "deep"])),
  plan_target_steps: refused("planning", countOrNull),
  plan_target_chunks: refused("planning", countOrNull),
  broadcast: ignored("broadcast", textOrBool),
  broadcast_sensitivity: ignored("broadcast", depth),
  response_depth: ignored("broadcast", depth),
  broadcast_timeout: ignored("broadcast", seconds),
  broadcast_wait_by_default: ignored("broadcast", bool),
  max_broadcasts_per_agent: ignored("broadcast", count),
  learning_capture_mode: ignored("memory", oneOf(["round", "verification_and_final_only", "final_only"])),
  disable_final_only_round_capture_fallback: refused("memory", bool),
  compression_target_ratio: ignored("compression", share),
  persona_generator: ignored("personas", map, { keys: () => persona, ...enabledBy("enabled") }),
  evaluation_criteria_generator: ignored("criteria", map, { keys: () => criteriaGenerator, ...enabledBy("enabled") }),
  prompt_improver: refused("preparation", map, { keys: () => free, ...enabledBy("enabled") }),
  pre_collab_voting_threshold: ignored("preparation", countOrNull),
  enable_subagents: ignored("subagents", bool),
  subagent_default_timeout: ignored("subagents", seconds),
  subagent_min_timeout: refused("subagents", seconds),
  subagent_max_timeout: refused("subagents", seconds),
  subagent_max_concurrent: ignored("subagents", count),
  subagent_round_timeouts: refused("subagents", map, { keys: () => free }),
  subagent_runtime_mode: refused("subagents", oneOf(["isolated", "inherited", "delegated"]), off("isolated")),
  subagent_runtime_fallback_mode: refused("subagents", text),
  subagent_host_launch_prefix: refused("subagents", texts),
  subagent_types: ignored("subagents", texts),
  subagent_orchestrator: ignored("subagents", map, { keys: () => childTeam, ...enabledBy("enabled") }),
  background_subagents: refused("subagents", map, { keys: () => free }),
  write_mode: ignored("isolation", oneOf(["auto", "worktree", "isolated", "legacy"])),
  drift_conflict_policy: refused("isolation", oneOf(["skip", "prefer_presenter", "fail"]), off("skip")),
  enable_changedoc: ignored("changeDocuments", bool),
  round_evaluator_before_checklist: ignored("evaluator", bool),
  orchestrator_managed_round_evaluator: ignored("evaluator", bool),
  round_evaluator_skip_synthesis: refused("evaluator", bool),
  round_evaluator_refine: ignored("evaluator", bool),
  round_evaluator_transformation_pressure: ignored("evaluator", oneOf(["gentle", "balanced", "aggressive"])),
  enable_quality_rethink_on_iteration: refused("evaluator", bool),
  enable_novelty_on_iteration: refused("evaluator", bool),
  enable_execution_trace_analyzer: ignored("traces", bool),
  auto_trace_analysis: ignored("traces", bool),
  evolving_criteria: ignored("criteria", bool),
  evolving_criteria_score_threshold: refused("criteria", number),
  evolving_criteria_max_evolutions: refused("criteria", number),
  evolving_criteria_min_high_score_count: ignored("criteria", number),
  evolving_criteria_timeout: refused("criteria", number),
  enable_evaluator_personas: refused("evaluator", bool),
  novelty_injection: refused("novelty", oneOf(["none", "gentle", "moderate", "aggressive"]), off("none")),
  improvements: refused("evaluator", map, { keys: () => free }),
  checklist_criteria_preset: refused("checklist", text),
  checklist_criteria_inline: refused("checklist", list),
  criteria_mode: ignored("criteria", oneOf(["static", "bootstrap_inline", "bootstrap_subagent"]), off("static")),
  bootstrap_max_per_agent_per_round: ignored("criteria", countOrZero),
  bootstrap_max_total: ignored("criteria", countOrZero),
  resume_from_log: refused("resume", map, { keys: () => free }),
  checkpoint_enabled: refused("checkpoints", bool),
  checkpoint_mode: refused("checkpoints", oneOf(["conversation", "task"]), off("conversation")),
  checkpoint_guidance: refused("checkpoints", text, off("")),
  checkpoint_gated_patterns: refused("checkpoints", texts),
  standalone_checkpoint: ignored("checkpoints", map, { keys: () => standaloneCheckpoint, ...enabledBy("enabled") }),
  web_review: refused("review", bool),
  fast_iteration_mode: ignored("pacing", bool),
  max_verifications_per_round: ignored("pacing", anything),
  max_internal_fix_loops: ignored("pacing", anything),
  skip_redundant_scaffolding: ignored("pacing", bool),
});

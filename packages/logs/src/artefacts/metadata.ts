import type { AgentCard, EpochMillis, RunId } from "@massgen/contracts";
import { stringify } from "yaml";
import type { GitInfo } from "../git-info.js";
import { isoTime, type ZoneOffset } from "../local-time.js";
import { redactConfig } from "../redact/redact-config.js";

export interface MetadataInput {
  readonly question: string;
  readonly startedAt: EpochMillis;
  readonly configPath: string | null;
  readonly config: unknown;
  readonly cliArgs: unknown;
  readonly overrides: unknown;
  readonly version: string;
  readonly cwd: string;
  readonly runId: RunId;
  readonly seed: number;
  readonly simulated: boolean;
  readonly agents: readonly AgentCard[];
  /** Its turn of a conversation; `null` for a run that is none. */
  readonly turn: number | null;
  readonly git: GitInfo | null;
  readonly attempt: { readonly number: number; readonly of: number } | null;
  /** `null` for a run that is not in planning mode, or does not know yet. */
  readonly planning: {
    readonly irreversible: boolean;
    readonly blockedTools: readonly string[];
    readonly analyzer: string | null;
  } | null;
  readonly end: { readonly at: EpochMillis; readonly finishReason: string; readonly exitCode: number } | null;
}

/** `execution_metadata.yaml`: what it takes to know, and to repeat, how a run was started (docs/spec/logs.md 4.2). */
export function metadataYaml(input: MetadataInput, zone: ZoneOffset): string {
  const { attempt, end, git, planning } = input;
  const metadata = {
    query: input.question,
    timestamp: isoTime(input.startedAt, zone),
    config_path: input.configPath,
    config: redactConfig(input.config),
    ...(isEmpty(input.overrides) ? {} : { overrides: redactConfig(input.overrides) }),
    cli_args: redactConfig(input.cliArgs),
    ...(git === null ? {} : { git }),
    massgen_version: input.version,
    node_version: process.version,
    platform: process.platform,
    arch: process.arch,
    working_directory: input.cwd,
    run_id: input.runId,
    seed: input.seed,
    ...(input.simulated ? { simulated: true } : {}),
    agent_mapping: Object.fromEntries(input.agents.map((card) => [card.anon, card.id])),
    ...(input.turn === null ? {} : { turn: input.turn }),
    ...(attempt === null ? {} : { attempt: attempt.number, max_attempts: attempt.of }),
    ...(planning === null
      ? {}
      : {
          planning_mode: {
            enabled: true,
            irreversible: planning.irreversible,
            blocked_tools: planning.blockedTools,
            analyzer: planning.analyzer,
          },
        }),
    ...(end === null ? {} : { finished_at: isoTime(end.at, zone), finish_reason: end.finishReason, exit_code: end.exitCode }),
  };
  return stringify(metadata, { lineWidth: 0, aliasDuplicateObjects: false });
}

const isEmpty = (value: unknown): boolean => typeof value !== "object" || value === null || Object.keys(value).length === 0;

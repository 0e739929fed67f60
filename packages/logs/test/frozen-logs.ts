import { fileURLToPath } from "node:url";
import type { AgentCard, EpochMillis, Recorded } from "@massgen/contracts";
import { readRunLog } from "../src/index.js";

/**
 * Logs of the first version, as it wrote them: what later versions must still read, and the runs these tests play.
 *
 * | run | |
 * |---|---|
 * | `voidedVotes` | three agents; an answer voids a vote, another vote comes too late, and in the end two of three agree |
 * | `tie` | two agents that both like their own answer best; the presentation breaks |
 * | `failures` | one agent fails for good, one fails twice, the third carries the run alone |
 * | `cancelled`, `cancelledEarly`, `cancelledInPresentation` | the user leaves after one answer, before any, after the decision |
 * | `timeout` | time is up after an answer that voided the only vote: the vote of the older epoch decides |
 * | `single` | one agent, one conversation |
 * | `salvaged` | nobody submitted anything; the last words of one of them are kept |
 * | `nothing` | nobody said anything at all |
 */
export const RUNS = [
  "voidedVotes",
  "tie",
  "failures",
  "cancelled",
  "cancelledInPresentation",
  "cancelledEarly",
  "timeout",
  "single",
  "salvaged",
  "nothing",
] as const;
export type RunName = (typeof RUNS)[number];

export const folderOf = (name: RunName): string => fileURLToPath(new URL(`fixtures/logs/${name}`, import.meta.url));

const loaded = new Map(await Promise.all(RUNS.map(async (name) => [name, await readRunLog(folderOf(name))] as const)));
export const frozenRun = (name: RunName): readonly Recorded[] => loaded.get(name)!;

/** 2026-01-02 10:15:29.880 at UTC+1: the first record of every run. */
export const START: EpochMillis = Date.UTC(2026, 0, 2, 9, 15, 29, 880);
export const RUN = "20260102_101529_k7q2mz";
/** UTC+1, so that a mix-up with UTC shows. */
export const zone = (): number => 60;

/** The records up to the decision that holds the first one like this. */
export function until(records: readonly Recorded[], isLast: (record: Recorded) => boolean): readonly Recorded[] {
  const found = records.findIndex(isLast);
  return records.slice(0, records.findIndex((record, place) => place >= found && record.closes) + 1);
}

/** The same run with other words in it. */
export const reworded = (records: readonly Recorded[], word: (text: string) => string): readonly Recorded[] =>
  JSON.parse(JSON.stringify(records), (_, value: unknown) => (typeof value === "string" ? word(value) : value));

export function byDecision(records: readonly Recorded[]): readonly (readonly Recorded[])[] {
  const groups = new Map<number, Recorded[]>();
  for (const record of records) {
    const group = groups.get(record.decision);
    if (group === undefined) groups.set(record.decision, [record]);
    else group.push(record);
  }
  return [...groups.values()];
}

export const cardsIn = (records: readonly Recorded[]): readonly AgentCard[] =>
  records.flatMap((record) => (record.type === "run_started" ? record.agents : []));

export const cardsFor = (...ids: readonly string[]): readonly AgentCard[] =>
  ids.map((id, place) => ({ id, anon: `agent${place + 1}`, backend: "openai", model: "gpt-5-mini" }));

const IN_OTHER_SCRIPTS: Readonly<Record<string, string>> = { ada: "研究者", bob: "a/b", cleo: "😀 smiley" };

/** `voidedVotes` with agents whose names no shell likes. */
export const namedInScripts = (): readonly Recorded[] => reworded(frozenRun("voidedVotes"), (text) => IN_OTHER_SCRIPTS[text] ?? text);

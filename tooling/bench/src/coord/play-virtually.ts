import type { Recorded } from "@massgen/contracts";
import { coordinate, type PolicyOptions } from "@massgen/core";
import { runVirtual, testAmbient } from "@massgen/testing";
import type { Call } from "../fake-vendor/call-log.js";
import type { ScriptedAgent } from "../fake-vendor/script.js";
import { scriptedTeam } from "../fake-vendor/scripted-agents.js";

export interface VirtualRun {
  readonly calls: readonly Call[];
  readonly facts: readonly Recorded[];
  readonly status: string;
}

/** Plays a team through the real core on the virtual clock: minutes of models in milliseconds, the same every time. */
export async function playVirtually(team: readonly ScriptedAgent[], policy: PolicyOptions = {}): Promise<VirtualRun> {
  const ambient = testAmbient();
  const { agents, calls } = scriptedTeam(team, ambient.clock);
  const run = coordinate({ question: "Which cache policy fits a read-heavy service?", agents, policy, ambient, timeZone: "UTC" });
  const facts: Recorded[] = [];
  async function follow(): Promise<string> {
    for await (const event of run) if ("seq" in event) facts.push(event);
    return (await run.outcome).status;
  }
  const status = await runVirtual(ambient.clock, follow());
  return { calls: calls(), facts, status };
}

import type { AgentId, EpochMillis } from "@massgen/contracts";
import { folderStamp, type ZoneOffset } from "../local-time.js";
import { safeNames } from "../safe-names.js";

/** Names the folders of agents and steps below the log folder, with `/` on every system. */
export interface StepFolders {
  /** Fixes the folders of all agents of a run, in configuration order. Later calls are ignored. */
  nameAgents(ids: readonly AgentId[]): void;
  agentFolder(agent: AgentId): string;
  /** `ada/20260102_101612_003311` for what this agent did with record `seq`; the same whenever it is asked for. */
  stepFolder(agent: AgentId, seq: number, at: EpochMillis): string;
}

export function createStepFolders(zone: ZoneOffset): StepFolders {
  let names: ReadonlyMap<AgentId, string> = new Map();
  const steps = new Map<number, string>();
  const taken = new Set<string>();

  const agentFolder = (agent: AgentId): string => names.get(agent) ?? safeNames([...names.keys(), agent]).get(agent) ?? agent;
  return {
    nameAgents(ids) {
      if (names.size === 0) names = safeNames(ids);
    },
    agentFolder,
    stepFolder(agent, seq, at) {
      const known = steps.get(seq);
      if (known !== undefined) return known;
      for (let extra = 0; ; extra++) {
        const folder = `${agentFolder(agent)}/${folderStamp(at, zone, extra)}`;
        if (taken.has(folder)) continue;
        taken.add(folder);
        steps.set(seq, folder);
        return folder;
      }
    },
  };
}

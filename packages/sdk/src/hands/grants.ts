import type { MassgenConfig } from "@massgen/config";
import type { AgentId } from "@massgen/contracts";
import type { AgentGrants, ContextPath } from "@massgen/policy";
import type { AgentWorkspace } from "@massgen/workspace";
import type { EarlierTurns } from "./earlier-turns.js";

export interface GrantSubject {
  readonly folders: ReadonlyMap<AgentId, AgentWorkspace>;
  readonly contexts: readonly ContextPath[];
  readonly earlier: EarlierTurns;
  readonly writesContexts: boolean;
}

/** What every agent of a config may touch. */
export const grantsOf = (config: MassgenConfig, subject: GrantSubject): ReadonlyMap<AgentId, AgentGrants> =>
  new Map(
    config.agents.map(({ id, hands }): readonly [AgentId, AgentGrants] => {
      // Tools of unknown effect are there because the config names them.
      if (hands === null) return [id, { workspace: null, urls: {}, unconfined: "allow" }];
      const { root, view, home } = subject.folders.get(id)!;
      return [
        id,
        {
          workspace: root,
          views: [view],
          contexts: subject.contexts,
          previousTurns: subject.earlier.readable.map(({ path }) => path),
          writesContexts: subject.writesContexts,
          urls: {},
          unconfined: "allow",
          ...(hands.commands === null ? {} : { commands: commandGrant(hands.commands, home) }),
        },
      ];
    }),
  );

const commandGrant = (
  { sandbox, docker, blocked, allowed }: NonNullable<NonNullable<MassgenConfig["agents"][number]["hands"]>["commands"]>,
  home: string,
): NonNullable<AgentGrants["commands"]> => ({
  sandboxed: docker !== null || sandbox !== "off",
  allowsSudo: docker?.sudo ?? false,
  blocked,
  home,
  ...(allowed.length === 0 ? {} : { allowed }),
});

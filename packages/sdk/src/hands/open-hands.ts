import { mkdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { AgentConfig, MassgenConfig } from "@massgen/config";
import type { AgentId, AnonId, ToolHandler, WorkspaceProvider } from "@massgen/contracts";
import { anonIdAt } from "@massgen/kernel";
import type { ContextPath, Policy } from "@massgen/policy";
import type { AgentWorkspace, Workspaces } from "@massgen/workspace";
import { createStaging, type Staging, stagedPolicy, whenReady } from "../delivery/staging.js";
import { undeliveredFolder } from "../delivery/undelivered.js";
import type { AgentCommands } from "./commands.js";
import { resolveContextPaths } from "./context-paths.js";
import { openEarlierTurns, prefillFrom } from "./earlier-turns.js";
import { grantsOf } from "./grants.js";
import { type AgentHands, byChannel, type Hands, type HandsOptions } from "./hands.js";
import { openTeamCommands, type TeamCommands } from "./open-commands.js";

type Armed = AgentConfig & { readonly hands: NonNullable<AgentConfig["hands"]> };

/**
 * Opens the folders, permissions, file tools and commands of a run; `null` when no agent has a `cwd`, and nothing of it is
 * loaded then.
 *
 * @throws MassgenError `CONFIG_INVALID` for a context path that is not there, a `cwd` that cannot be used, a sandbox that is required and missing
 */
export async function openHands(options: HandsOptions): Promise<Hands | null> {
  const { config, runId, cwd, home } = options;
  const armed = config.agents.filter((agent): agent is Armed => agent.hands !== null);
  const base = join(cwd, ".massgen");
  // Before all else: a folder that is named and not there is a mistake, whether or not anybody would have looked into it.
  const contexts = await resolveContextPaths(config.orchestrator.contextPaths, { cwd, home, base });
  if (armed.length === 0) return null;
  const [{ createPolicy }, { createWorkspaces }, { createFileTools }] = await Promise.all([
    import("@massgen/policy"),
    import("@massgen/workspace"),
    import("@massgen/tools/node"),
  ]);
  const earlier = await openEarlierTurns(options.previousTurns ?? [], options.onWarning);
  const anonOf = new Map<AgentId, AnonId>(config.agents.map(({ id }, index) => [id, anonIdAt(index)]));
  const { snapshotStorage, agentTemporaryWorkspace } = config.orchestrator;
  const workspaces = await createWorkspaces({
    baseDir: base,
    runId,
    agents: armed.map(({ id, hands }) => ({ id, anon: anonOf.get(id)!, cwd: hands.cwd })),
    writablePaths: contexts.filter(({ permission }) => permission === "write").map(({ path }) => path),
    ...(snapshotStorage === null ? {} : { snapshotDir: below(base, snapshotStorage) }),
    ...(agentTemporaryWorkspace === null ? {} : { viewDir: below(base, agentTemporaryWorkspace) }),
    twoTier: config.orchestrator.twoTierWorkspace,
    onWarning: options.onWarning,
  });
  let commands: TeamCommands | null = null;
  const close = async (): Promise<void> => {
    await commands?.close();
    await workspaces.close();
  };
  try {
    const folders = new Map<AgentId, AgentWorkspace>();
    for (const { id } of armed) folders.set(id, await workspaces.open(id));
    await prefillFrom(earlier, folders.values(), options.onWarning);
    // Alone, nobody is waited for: what is to be written may be written.
    const writesAtOnce = config.agents.length === 1 && !config.orchestrator.planningMode;
    const staging = contexts.some(({ permission }) => permission === "write")
      ? await createStaging({
          contexts,
          workspaces,
          keptIn: undeliveredFolder(base, runId),
          lone: writesAtOnce ? armed[0]!.id : null,
          askFirst: options.asksFirst ?? false,
        })
      : null;
    const granting = (own: readonly ContextPath[], writesContexts: boolean): Policy =>
      createPolicy({ home, agents: grantsOf(config, { folders, earlier, contexts: own, writesContexts }) });
    const granted = granting(staging?.contexts ?? contexts, writesAtOnce);
    const policy = staging !== null && writesAtOnce ? whenReady(granted, staging) : granted;
    const plain = staging === null ? null : granting(contexts, false);
    if (plain !== null) staging?.judgeBy(plain);
    commands = await openTeamCommands(armed, { ...options, policy, contexts, staging, earlier, folders, anonOf, writesAtOnce });
    const { of: commandsOf } = commands;
    const own = new Map<AgentId, AgentHands>();
    for (const agent of armed) {
      const workspace = folders.get(agent.id)!;
      const tools = await fileToolsOf(agent, workspace, policy, createFileTools, staging);
      own.set(agent.id, {
        tools: [...tools, ...(commandsOf.get(agent.id)?.tools ?? [])],
        workspacePaths: [workspace.root, workspace.view],
        files: {
          workspace: workspace.root,
          peers: config.agents.length > 1 ? workspace.view : null,
          contexts: contexts.map(({ path, permission }) => ({ path, access: permission })),
          writesAtOnce,
          hasTiers: config.orchestrator.twoTierWorkspace,
          ...(earlier.readable.length === 0 ? {} : { earlierTurns: { ...earlier, last: earlier.last?.turn ?? null } }),
        },
      });
    }
    const pathsFor = await readPaths(config, folders, anonOf);
    const notes = [...commands.notes];
    return {
      of: (agent) => own.get(agent) ?? null,
      workspaces: quiet(workspaces, commandsOf, own, staging),
      permissions: staging === null || plain === null ? policy : stagedPolicy({ staged: policy, plain }, staging),
      pathsFor,
      notes,
      async changes(isPresented) {
        await Promise.all([...commandsOf.values()].map((one) => one.endJobs()));
        return (await staging?.result(isPresented)) ?? null;
      },
      async copy(snapshot, folder) {
        await workspaces.copyOut(snapshot, folder);
      },
      async deliver(presenter, snapshot, folder) {
        if (!folders.has(presenter)) return;
        await mkdir(folder, { recursive: true });
        await workspaces.copyOut(snapshot ?? { workspaceOf: presenter, otherwise: null }, folder);
      },
      secrets: commands.secrets,
      placesOf(agent) {
        const folder = folders.get(agent);
        return folder === undefined ? null : { workspace: folder.root, snapshot_storage: folder.snapshots, temp_workspace: folder.view };
      },
      confinedBy: (agent) => commandsOf.get(agent)?.confinedBy ?? null,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const below = (base: string, path: string): string => (isAbsolute(path) ? path : join(base, path));

async function fileToolsOf(
  { id, hands }: Armed,
  workspace: AgentWorkspace,
  policy: Policy,
  createFileTools: typeof import("@massgen/tools/node").createFileTools,
  staging: Staging | null,
): Promise<readonly ToolHandler[]> {
  const { createFileKnowledge } = await import("@massgen/policy");
  const rules = { readBeforeDelete: hands.readBeforeDelete, readBeforeOverwrite: hands.readBeforeOverwrite };
  const knowledge = createFileKnowledge(rules);
  const under = (own: Policy): readonly ToolHandler[] =>
    createFileTools({ workspace, policy: () => own, roots: () => own.roots(id), knowledge, rules });
  const allowed = policy.forPresentation(id);
  const presenting = under(staging === null ? allowed : whenReady(allowed, staging));
  return under(policy)
    .map((tool, index) => byChannel({ working: { ...tool, origin: "builtin" }, presenting: presenting[index]! }))
    .filter(({ risk }) => hands.fileTools === "full" || (hands.fileTools === "read_only" && risk === "read"));
}

/** A folder is frozen or emptied when nothing works in it any more. Agents without files have no versions. */
function quiet(
  workspaces: Workspaces,
  commands: ReadonlyMap<AgentId, AgentCommands>,
  own: ReadonlyMap<AgentId, AgentHands>,
  staging: Staging | null,
): WorkspaceProvider {
  return {
    async open(agent) {
      const workspace = await workspaces.open(agent);
      return {
        agent,
        root: workspace.root,
        async publish() {
          // A version is of files that keep still.
          await commands.get(agent)?.endJobs();
          await commands.get(agent)?.idle();
          await staging?.keep(agent);
          return workspace.publish();
        },
        async restore(snapshot) {
          await commands.get(agent)?.endJobs();
          await workspace.restore(snapshot);
        },
        async clear() {
          await commands.get(agent)?.endJobs();
          await workspace.clear();
        },
      };
    },
    refreshView: (viewer, shown) => (own.has(viewer) ? workspaces.refreshView(viewer, shown) : Promise.resolve({ path: "" })),
    close: () => workspaces.close(),
  };
}

async function readPaths(
  { agents }: MassgenConfig,
  folders: ReadonlyMap<AgentId, AgentWorkspace>,
  anonOf: ReadonlyMap<AgentId, AnonId>,
): Promise<Hands["pathsFor"]> {
  const { pathsForViewer, rewritePaths } = await import("@massgen/workspace");
  const paths = agents.flatMap(({ id }) => {
    const folder = folders.get(id);
    return folder === undefined ? [] : [{ id, anon: anonOf.get(id)!, workspace: [folder.root], view: folder.view }];
  });
  const all = new Set(anonOf.values());
  const rules = new Map(agents.map(({ id }) => [id, pathsForViewer(paths, paths.find((one) => one.id === id) ?? null, all)]));
  return (viewer, _author, text) => rewritePaths(text, rules.get(viewer) ?? []);
}

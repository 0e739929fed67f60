import type { RunView } from "@massgen/views";
import type { StepFolders } from "../files/step-folders.js";

interface SnapshotMapping {
  readonly type: "answer" | "vote" | "final_answer";
  readonly label: string;
  readonly agent_id: string;
  readonly timestamp: string;
  readonly iteration: number;
  readonly round: number;
  readonly epoch: number;
  readonly path: string;
  readonly workspace_path: null;
  readonly simulated?: boolean;
  readonly voted_for?: string;
  readonly voted_for_label?: string;
}

/** `snapshot_mappings.json`: where the file of every label is (docs/spec/logs.md 4.10). */
export function snapshotMappings(view: RunView, folders: StepFolders, simulated: boolean): Readonly<Record<string, SnapshotMapping>> {
  const answers = view.answers.map((answer): SnapshotMapping => {
    const folder = folders.stepFolder(answer.agent, answer.seq, answer.at);
    return { type: "answer", label: answer.label, agent_id: answer.agent, ...placed(folder, "answer.txt", answer) };
  });
  const all = [...answers, ...voteMappings(view, folders), ...finalMapping(view, folders)];
  return Object.fromEntries(all.map((mapping) => [mapping.label, simulated ? { ...mapping, simulated } : mapping]));
}

/** Votes count per voter from 1 on, void ones included: they were recorded. */
function voteMappings(view: RunView, folders: StepFolders): readonly SnapshotMapping[] {
  const counts = new Map<string, number>();
  return view.ballots.flatMap((ballot) => {
    if (ballot.targetLabel === null || ballot.fate.is === "ignored") return [];
    const count = (counts.get(ballot.voter) ?? 0) + 1;
    counts.set(ballot.voter, count);
    const label = `${view.agents.get(ballot.voter)?.card.anon ?? ballot.voter}.vote${count}`;
    const folder = folders.stepFolder(ballot.voter, ballot.seq, ballot.at);
    const vote = { voted_for: ballot.target, voted_for_label: ballot.targetLabel };
    return [{ type: "vote", label, agent_id: ballot.voter, ...placed(folder, "vote.json", ballot), ...vote }];
  });
}

function finalMapping(view: RunView, folders: StepFolders): readonly SnapshotMapping[] {
  const fact = view.presentationFinished;
  if (fact === null || fact.content === "") return [];
  const round = view.state.presentationRound ?? view.agents.get(fact.agent)?.newestRound?.round ?? 0;
  return [
    {
      type: "final_answer",
      label: `${view.agents.get(fact.agent)?.card.anon ?? fact.agent}.final`,
      agent_id: fact.agent,
      timestamp: "final",
      iteration: view.iteration,
      round,
      epoch: view.state.answers.length,
      path: `final/${folders.agentFolder(fact.agent)}/answer.txt`,
      workspace_path: null,
    },
  ];
}

const placed = (
  folder: string,
  file: string,
  { iteration, round, epoch }: { readonly iteration: number; readonly round: number; readonly epoch: number },
) => ({
  timestamp: folder.slice(folder.lastIndexOf("/") + 1),
  iteration,
  round,
  epoch,
  path: `${folder}/${file}`,
  workspace_path: null,
});

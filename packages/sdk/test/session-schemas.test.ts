import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent } from "@massgen/contracts";
import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { expect, it } from "vitest";
import { openConversation } from "../src/index.js";
import { type Artefact, artefactsIn, exact, SESSIONS } from "./check-log.js";

const fits = ({ path, schema, document }: Artefact): unknown => {
  const validate = exact.get(schema);
  return [path, validate?.(document), validate?.errors ?? []];
};

it("the schemas of sessions hold for what a conversation writes, to the last key, and have all been met", async () => {
  const folder = await mkdtemp(join(tmpdir(), "massgen-session-schemas-"));
  const team = scriptedTeam({
    "ada-model": [step.answer("LRU."), step.vote("agent1", "mine"), step.text("Final: LRU."), step.answer("Write-back."), step.mute()],
    "bob-model": [
      step.answer("LFU."),
      step.vote("agent1", "clear"),
      step.answer("Write-around."),
      step.vote("agent1", "clear"),
      step.mute(),
    ],
  });
  const sessions = join(folder, ".massgen", "sessions");
  const begun: Artefact[] = [];
  const simulator = await startSimulator({
    respond: async (request) => {
      // Of a turn that runs there is a file that goes when it ends.
      const { artefacts } = await artefactsIn(join(folder, ".massgen"), SESSIONS);
      begun.push(...artefacts.filter(({ path }) => path.endsWith("started.json")));
      return team(request);
    },
  });
  try {
    const agents = ["ada", "bob"].map((id) => ({
      id,
      backend: { type: "chatcompletion", model: `${id}-model`, base_url: simulator.baseUrl("chat_completions"), max_retries: 0 },
    }));
    let votes = 0;
    const conversation = await openConversation({ config: { agents }, env: { HOME: folder }, cwd: folder, sessionId: "design" });
    const first = await conversation.ask("Which cache policy?");
    const onEvent = (event: RunEvent): void => {
      if (event.type === "vote_cast" && ++votes === 1) conversation.cancel();
    };
    await expect(conversation.ask("And for writes?", { onEvent })).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    await conversation.close();
    expect(conversation.turns.map(({ status }) => status)).toEqual(["complete", "incomplete"]);
    const { artefacts } = await artefactsIn(join(folder, ".massgen"), SESSIONS);
    expect(begun.length).toBeGreaterThan(0);
    for (const artefact of [...begun, ...artefacts]) expect(fits(artefact)).toEqual([artefact.path, true, []]);
    expect(new Set([...begun, ...artefacts].map(({ schema }) => schema))).toEqual(new Set(SESSIONS.map(({ schema }) => schema)));
    expect(
      (await artefactsIn(sessions, [])).unknown.filter(
        (path) => !/(?:started|metadata|partial_answers|winning_agents_history)\.json$/.test(path),
      ),
    ).toEqual([]);
    const log = await artefactsIn(first.logDirectory ?? "");
    expect(log.unknown).toEqual([]);
    for (const artefact of log.artefacts) expect(fits(artefact)).toEqual([artefact.path, true, []]);
    expect(log.artefacts.map(({ schema }) => schema)).toContain("conversation.schema.json");
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
});

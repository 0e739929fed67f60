import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRunLog } from "@massgen/logs";
import { type Respond, type SimulatedRequest, type Simulator, scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limitHistory } from "../src/conversation/limit-history.js";
import { type Conversation, type ConversationOptions, MassgenError, openConversation, readKnownRun, run } from "../src/index.js";

let folder = "";
let simulator: Simulator | null = null;
const open: Conversation[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "massgen-conversation-"));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((conversation) => conversation.close()));
  await simulator?.close();
  await rm(folder, { recursive: true, force: true });
});

const textOf = ({ system, messages }: SimulatedRequest): string => `${system}\n${messages.map(({ text }) => text).join("\n")}`;
const json = async (...path: readonly string[]): Promise<ReturnType<typeof JSON.parse>> =>
  JSON.parse(await readFile(join(...path), "utf8"));

interface Team {
  readonly options: ConversationOptions;
  /** Every request so far, as the model sees it. */
  readonly requests: readonly SimulatedRequest[];
}

async function team(
  respond: Respond,
  more: Readonly<Record<string, unknown>> = {},
  ids: readonly string[] = ["ada", "bob"],
): Promise<Team> {
  const requests: SimulatedRequest[] = [];
  const started = await startSimulator({
    respond: (request) => {
      requests.push(request);
      return respond(request);
    },
  });
  simulator = started;
  const backend = (id: string) => ({
    type: "chatcompletion",
    model: `${id}-model`,
    base_url: started.baseUrl("chat_completions"),
    max_retries: 0,
    ...more,
  });
  return { options: { config: { agents: ids.map((id) => ({ id, backend: backend(id) })) }, env: { HOME: folder }, cwd: folder }, requests };
}

async function begin(options: ConversationOptions): Promise<Conversation> {
  const conversation = await openConversation(options);
  open.push(conversation);
  return conversation;
}

/** Two agents; the first wins every turn. */
const twoTurns = scriptedTeam({
  "ada-model": [
    ...[step.answer("LRU it is."), step.vote("agent1", "mine"), step.text("Final: LRU.")],
    ...[step.answer("Then write-back."), step.vote("agent1", "mine"), step.text("Final: write-back.")],
  ],
  "bob-model": [
    ...[step.answer("LFU it is."), step.vote("agent1", "clear")],
    ...[step.answer("Then write-around."), step.vote("agent1", "clear")],
  ],
});

describe("a conversation", () => {
  it("EC79: in turn 2 the prompt of every agent has the question and the answer of turn 1", async () => {
    const { options, requests } = await team(twoTurns);
    const conversation = await begin(options);
    const first = await conversation.ask("Which cache policy?");
    const before = requests.length;
    const second = await conversation.ask("And for writes?");
    expect([first.finalAnswer, second.finalAnswer]).toEqual(["Final: LRU.", "Final: write-back."]);
    const asked = requests.slice(before);
    expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(["ada-model", "bob-model"]));
    for (const request of asked) {
      expect(textOf(request)).toContain("Which cache policy?");
      expect(textOf(request)).toContain("Final: LRU.");
      // What was not chosen belongs to the turn, not to the conversation.
      expect(textOf(request)).not.toContain("LFU it is.");
    }
    expect(conversation.turns.map(({ task, answer, winner }) => [task, answer, winner])).toEqual([
      ["Which cache policy?", "Final: LRU.", "ada"],
      ["And for writes?", "Final: write-back.", "ada"],
    ]);
  });

  it("is kept under its id, and goes on in another process with the next number in the same root", async () => {
    const { options, requests } = await team(twoTurns);
    const first = await run("Which cache policy?", { ...options, sessionId: "design" });
    const before = requests.length;
    const second = await run("And for writes?", { ...options, sessionId: "design" });
    expect([first.sessionId, second.sessionId]).toEqual(["design", "design"]);
    expect(requests.slice(before).every((request) => textOf(request).includes("Final: LRU."))).toBe(true);
    const root = first.logDirectory ?? "";
    expect(second.logDirectory).toBe(root);
    expect((await readdir(root)).filter((name) => !name.startsWith("."))).toEqual([
      "final",
      "index.json",
      "status.json",
      "turn_1",
      "turn_2",
    ]);
    expect(await readFile(join(root, "final", "ada", "answer.txt"), "utf8")).toBe("Final: write-back.");
    expect(await readFile(join(root, "turn_1", "final", "ada", "answer.txt"), "utf8")).toBe("Final: LRU.");
    expect(await json(root, "status.json")).toMatchObject({ is_complete: true, meta: { turn: 2, log_dir: join(root, "turn_2") } });
    const index = await json(root, "index.json");
    expect(index.run_ids).toHaveLength(2);
    expect(index.turns).toEqual([
      { turn: 1, attempts: [{ attempt: 1, dir: "turn_1", finish_reason: "completed" }], accepted_attempt: 1, winner: "ada" },
      { turn: 2, attempts: [{ attempt: 1, dir: "turn_2", finish_reason: "completed" }], accepted_attempt: 1, winner: "ada" },
    ]);
    // Of a conversation the newest turn is meant.
    expect((await readRunLog(root))[0]).toMatchObject({ type: "run_started", question: "And for writes?" });
    expect((await readKnownRun(root)).metadata.question).toBe("And for writes?");
    expect(await json(root, "turn_2", "conversation.json")).toEqual([
      { role: "user", text: "Which cache policy?" },
      { role: "assistant", text: "Final: LRU." },
    ]);
  });

  it("nests attempts below turns, and each turn has its accepted result", async () => {
    const { options } = await team(
      scriptedTeam({
        "ada-model": [
          ...[step.answer("LRU."), step.vote("agent1", "Mine."), step.text("First.")],
          step.tool("restart_orchestration", { reason: "Thin.", instructions: "More." }),
          ...[step.answer("LRU, with invalidation."), step.vote("agent1", "Better."), step.text("Second.")],
        ],
        "bob-model": [step.answer("LFU."), step.vote("agent1", "Clear."), step.answer("ARC."), step.vote("agent1", "Clear.")],
      }),
    );
    const config = { ...(options.config as object), orchestrator: { coordination: { max_orchestration_restarts: 1 } } };
    const { logDirectory: root } = await run("Why?", { ...options, config, sessionId: "deep" });
    expect((await readdir(join(root ?? "", "turn_1"))).sort()).toEqual(["attempt_1", "attempt_2", "final"]);
    expect((await json(root ?? "", "index.json")).turns[0].attempts.map(({ dir }: { readonly dir: string }) => dir)).toEqual([
      "turn_1/attempt_1",
      "turn_1/attempt_2",
    ]);
    expect(await json(root ?? "", "status.json")).toMatchObject({ meta: { turn: 1, attempt: 2 } });
    for (const place of [[], ["turn_1"], ["turn_1", "attempt_2"]])
      expect(await readFile(join(root ?? "", ...place, "final", "ada", "answer.txt"), "utf8")).toBe("Second.");
  });

  it("tells the next turn what everybody had when it was cut off, under their names for each other", async () => {
    const { options, requests } = await team(
      scriptedTeam({
        "ada-model": [step.answer("LRU, because it is short.")],
        "bob-model": [step.answer("LFU, because it is measured.")],
        "cyd-model": [step.stall()],
      }),
      {},
      ["ada", "bob", "cyd"],
    );
    const conversation = await begin({ ...options, sessionId: "cut" });
    let answers = 0;
    const asking = conversation.ask("Which cache policy?", {
      onEvent: (event) => {
        if (event.type === "answer_submitted" && ++answers === 2) conversation.cancel();
      },
    });
    const error: unknown = await asking.catch((cause: unknown) => cause);
    expect(MassgenError.is(error, "RUN_CANCELLED") || !(error instanceof Error)).toBe(true);
    expect(conversation.turns).toMatchObject([{ status: "incomplete", phase: "coordinating" }]);
    const before = requests.length;
    await conversation.ask("Go on.");
    const prompt = textOf(requests[before]!);
    expect(prompt).toContain("agent1: LRU, because it is short.");
    expect(prompt).toContain("agent2: LFU, because it is measured.");
    expect(prompt).toContain("agent3: no answer yet.");
    expect(prompt).toContain("cut off while the agents were answering and voting");
    expect(prompt).not.toMatch(/\b(?:ada|bob|cyd)\b/);
    expect(await json(folder, ".massgen", "sessions", "cut", "turn_1", "partial_answers.json")).toMatchObject({
      ada: { answer: "LRU, because it is short.", answer_count: 1, has_voted: false },
      cyd: { answer: null },
    });
  });

  it("gives agents with files those of the turn before, and keeps what was made", async () => {
    const { options } = await team(
      scriptedTeam({
        "ada-model": [
          step.tool("write_file", { path: "plan.md", content: "one\n" }),
          step.text("Made plan.md."),
          step.tool("append_file", { path: "plan.md", content: "two\n" }),
          step.tool("edit_file", { path: "plan.md", edits: [{ old_text: "one", new_text: "one and two" }] }),
          step.text("Changed plan.md."),
        ],
      }),
      { cwd: "ws" },
      ["ada"],
    );
    await run("Make a plan.", { ...options, sessionId: "files" });
    const turn = (number: number): string => join(folder, ".massgen", "sessions", "files", `turn_${number}`, "workspace", "plan.md");
    expect(await readFile(turn(1), "utf8")).toBe("one\n");
    const { logDirectory: root } = await run("Change it.", { ...options, sessionId: "files" });
    expect(await readFile(turn(1), "utf8")).toBe("one\n");
    expect(await readFile(turn(2), "utf8")).toContain("one");
    expect(await readFile(join(root ?? "", "turn_1", "final", "ada", "workspace", "plan.md"), "utf8")).toBe("one\n");
  });

  it("asks one question at a time, and forgets when it is told to", async () => {
    const { options, requests } = await team(twoTurns);
    const conversation = await begin({ ...options, sessionId: "one" });
    const asking = conversation.ask("Which cache policy?");
    await expect(conversation.ask("And?")).rejects.toMatchObject({ code: "USAGE" });
    await asking;
    await conversation.forget();
    expect([conversation.turns, conversation.sessionId]).toEqual([[], null]);
    const before = requests.length;
    await conversation.ask("And for writes?");
    expect(requests.slice(before).some((request) => textOf(request).includes("Which cache policy?"))).toBe(false);
    expect(conversation.sessionId).toMatch(/^session_\d{8}_\d{6}$/);
  });

  it("that is open elsewhere is refused, and one that could not start leaves none behind", async () => {
    const { options } = await team(twoTurns);
    const conversation = await begin({ ...options, sessionId: "busy" });
    await conversation.ask("Which cache policy?");
    await expect(run("And?", { ...options, sessionId: "busy" })).rejects.toMatchObject({ code: "STORE_CONFLICT" });
    const config = { agents: [{ id: "ada", backend: { type: "openai", model: "gpt-5-mini" } }] };
    await expect(run("Why?", { ...options, config, sessionId: "no-key" })).rejects.toMatchObject({ code: "MISSING_API_KEY" });
    expect(await readdir(join(folder, ".massgen", "sessions"))).toEqual(["busy"]);
  });

  it("without an id is kept nowhere, and remembers all the same", async () => {
    const { options, requests } = await team(twoTurns);
    const conversation = await begin({ ...options, conversationHistory: [{ role: "user", content: "We use Redis." }] });
    await conversation.ask("Which cache policy?");
    const before = requests.length;
    await conversation.ask("And for writes?");
    for (const said of ["We use Redis.", "Which cache policy?", "Final: LRU."]) expect(textOf(requests[before]!)).toContain(said);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("what was said before", () => {
  const agent = (contextWindowTokens: number | null) => ({ backend: { capabilities: { contextWindowTokens } } }) as never;
  const turns = (count: number, chars: number) =>
    Array.from({ length: count * 2 }, (_, index) => ({
      role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
      text: `${index}`.padEnd(chars, "x"),
    }));
  it.each([
    ["nobody knows the window: all of it", turns(50, 3_000), [agent(null)], 100, null],
    ["it fits: all of it", turns(3, 300), [agent(10_000), agent(null)], 6, null],
    ["the smallest window counts", turns(10, 3_000), [agent(1_000_000), agent(16_000)], 9, "6 questions"],
    ["the last turn always stays", turns(2, 30_000), [agent(1_000)], 3, "question of this"],
    ["nothing was said", [], [agent(1_000)], 0, null],
  ] as const)("%s", (_name, history, agents, length, told) => {
    const notes: string[] = [];
    const kept = limitHistory(history, agents, (message) => notes.push(message));
    expect(kept).toHaveLength(length);
    expect(kept.at(-1)).toEqual(history.at(-1));
    if (told === null) expect(notes).toEqual([]);
    else {
      expect(notes).toEqual([expect.stringContaining(told)]);
      expect(kept[0]?.text).toContain("left out here");
      expect(kept[1]?.role).toBe("user");
    }
  });
});

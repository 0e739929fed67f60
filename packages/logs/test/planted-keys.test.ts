import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunEvent } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { secretsInEnvironment } from "../src/index.js";
import { feed, filesIn, openLog } from "./play-run.js";
import { sampleRun } from "./sample-run.js";
import { call, result, text, transcript } from "./transcripts.js";

const CONFIG_SECRETS = [
  "sk-replay-SECRET-7f3a9c1e55aa",
  "tok-replay-SECRET-1122334455",
  "tok-replay-SECRET-66778899aa",
  "url-replay-SECRET-00ff00ff",
  "hdr-replay-SECRET-abcdefabcd",
] as const;
const [KEY, ARGUMENT, ENV, QUERY, HEADER] = CONFIG_SECRETS;
const FROM_ENVIRONMENT = 'env "SECRET" \\ ä 0123456789';
/** Never given to anybody: known by its shape only. */
const SHAPED = `AI${"za"}SyA0123456789SECRETghijklmnopqrstuv`;
const ALL = [...CONFIG_SECRETS, FROM_ENVIRONMENT, SHAPED];

const config = {
  agents: [
    {
      id: "solo",
      backend: {
        type: "chatcompletion",
        api_key: KEY,
        mcp_servers: [
          { name: "desk", command: "node", args: ["desk.mjs", "--token", ARGUMENT], env: { DESK_TOKEN: ENV } },
          { name: "remote", url: `http://127.0.0.1:9911/mcp?api_key=${QUERY}`, headers: { Authorization: `Bearer ${HEADER}` } },
        ],
      },
    },
  ],
};

/** Every secret, in every way in which one may come along. Base64 hides a shape, so of that one only as it is. */
const everywhere = [
  ...ALL.flatMap((secret) => [secret, JSON.stringify({ secret }), JSON.stringify(JSON.stringify({ secret })), encodeURIComponent(secret)]),
  ...ALL.filter((secret) => secret !== SHAPED).map((secret) => Buffer.from(secret).toString("base64")),
].join(" and ");

describe("keys", () => {
  it.each([true, false])("are in no byte of the folder, whatever carries them there (debug: %s)", async (debug) => {
    const { folder, log } = await openLog(["solo", "bob"], {
      config,
      cliArgs: { model: "m", api_key: KEY, system_message: everywhere },
      debug,
      question: `Why? ${everywhere}`,
      secrets: secretsInEnvironment({ MY_TOKEN: FROM_ENVIRONMENT }),
    });
    const run = sampleRun(["solo", "bob"], { question: `Why? ${everywhere}` });
    run
      .at(1)
      .call("solo", 0.5, { ok: false, message: `Incorrect API key provided: ${everywhere}` })
      .tool("solo", "mcp__files__read_file");
    run.say({
      type: "activity_reported",
      fact: {
        type: "tool_start",
        agent: "solo",
        round: 0,
        callId: "t",
        name: "fetch",
        argsPreview: JSON.stringify({ headers: { Authorization: `Bearer ${HEADER}` }, body: everywhere }),
      },
    });
    run
      .at(2)
      .say({ type: "nothing_offered", agent: "bob", round: 0, code: "no_tool_calls", tool: null, detail: everywhere, text: everywhere });
    run.at(3).answer("solo", `My answer: ${everywhere}`).at(4).answer("bob", `${everywhere} too`);
    run.at(5).vote("solo", "agent2", everywhere).at(6).vote("bob", "agent2", everywhere);
    run.at(7).say({ type: "presentation_failed", agent: "bob", why: "error", partial: everywhere });
    const deltas = (agent: string): readonly RunEvent[] => [
      ...[...`thinking ${everywhere} done`].map(
        (character): RunEvent => ({ type: "reasoning_delta", agent, channel: "work", text: character }),
      ),
      ...everywhere
        .match(/[\s\S]{1,7}/g)!
        .map((piece): RunEvent => ({ type: "content_delta", agent, channel: "presentation", text: piece })),
      { type: "content_discarded", agent, channel: "work", reason: everywhere, waitMs: 10 },
      { type: "tool_progress", agent, callId: "c", note: everywhere },
      { type: "notice", level: "warning", agent, message: everywhere },
    ];
    await feed(log, run.records, (record) => {
      if (record.type === "answer_submitted")
        log.onTranscript(
          transcript(
            record.agent,
            0,
            [],
            [text("user", everywhere), call("c", "fetch", { url: everywhere }, everywhere, everywhere), result("c", everywhere, true)],
          ),
        );
      return record.type === "answer_submitted" || record.type === "presentation_finished" ? deltas(record.agent) : [];
    });
    log.log("error", "backend", "solo", `Error: ${everywhere}\n    at stack`);
    await log.finish({ status: "error", message: everywhere });

    const files = await filesIn(folder);
    expect(files.some((file) => file.endsWith("massgen_debug.log"))).toBe(debug);
    for (const file of files) {
      const content = await readFile(join(folder, file), "utf8");
      for (const secret of ALL) expect([file, content.includes(secret)]).toEqual([file, false]);
      // No part of one either, however it was escaped: every one of them has this word or its base64 in it.
      expect([file, content.match(/.{0,40}(?:SECRET|U0VDUkVU|NFQ1JFV|TRUNSRV).{0,20}/)?.[0]]).toEqual([file, undefined]);
    }
    const metadata = await readFile(join(log.root, "execution_metadata.yaml"), "utf8");
    expect(metadata).toContain("[REDACTED]");
    expect(await readFile(join(log.root, "massgen.log"), "utf8")).toContain("at stack");
  });
});

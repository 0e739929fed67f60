import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recorded, RunEvent } from "@massgen/contracts";
import { describe, expect, it } from "vitest";
import { secretsInEnvironment } from "../src/index.js";
import { cardsFor, frozenRun } from "./frozen-logs.js";
import { feed, filesIn, openLog } from "./play-run.js";
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

/** Names, labels and numbers stay; whatever an agent, a vendor or a tool may say is full of secrets. */
function poisoned(): readonly Recorded[] {
  const said = new Set(["question", "content", "reason", "message", "lastText", "argsPreview", "resultPreview", "partial", "fingerprint"]);
  const poison = (record: Recorded): Recorded =>
    JSON.parse(JSON.stringify(record), (key, value: unknown) =>
      said.has(key) && typeof value === "string" && value !== "" ? `${value} ${everywhere}` : value,
    );
  return frozenRun("voidedVotes").map(poison);
}

describe("keys", () => {
  it.each([true, false])("are in no byte of the folder, whatever carries them there (debug: %s)", async (debug) => {
    const records = poisoned();
    const { folder, log } = await openLog(cardsFor("ada", "bob", "cleo"), {
      config,
      debug,
      question: `Why? ${everywhere}`,
      cliArgs: { model: "m", api_key: KEY, system_message: everywhere },
      secrets: secretsInEnvironment({ MY_TOKEN: FROM_ENVIRONMENT }),
    });
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
    await feed(log, records, (record) => {
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
    log.log("error", "backend", "ada", `Error: ${everywhere}\n    at stack`);
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

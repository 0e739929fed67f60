import { basename, join } from "node:path";
import { MassgenError, type Recorded } from "@massgen/contracts";
import { decisionsIn, logNames, turnFolders } from "@massgen/logs";
import { oneLine, preview } from "@massgen/views";
import type { LogsRequest } from "../../args/record-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { visibleJson, visibleLine } from "../../output/visible-text.js";
import { logBase, logFolder } from "./find-logs.js";

interface Hit {
  readonly log: string;
  readonly seq: number;
  readonly event: string;
  readonly agent: string | null;
  readonly where: string;
  readonly excerpt: string;
}

/** `massgen logs grep <text>`: where a text stands in questions, answers, votes, failures and tool calls. Exit code 1: nowhere. */
export async function searchLogs(request: Extract<LogsRequest, { verb: "grep" }>, io: Io): Promise<ExitCode> {
  const { text, log, limit, json } = request;
  const base = await logBase(io);
  const folders = log === null ? (await logNames(base)).map((name) => join(base, name)) : [await logFolder(log, io)];
  const hits: Hit[] = [];
  for (const folder of folders) {
    if (hits.length >= limit) break;
    try {
      for await (const hit of hitsIn(folder, text)) {
        hits.push(hit);
        if (!json) io.out.write(`${visibleLine(hit.log)} E${hit.seq} ${visibleLine(`${hit.where}: ${hit.excerpt}`)}\n`);
        if (hits.length >= limit) break;
      }
    } catch (error) {
      // One damaged log of many must not hide what is in the others.
      if (!MassgenError.is(error) || log !== null) throw error;
      io.err.write(`massgen: warning: ${visibleLine(error.message)}\n`);
    }
  }
  if (json) io.out.write(`${visibleJson({ text, hits })}\n`);
  else if (hits.length >= limit) io.err.write(`massgen: note: ${limit} places are shown; more with --limit\n`);
  return hits.length === 0 ? 1 : 0;
}

async function* hitsIn(folder: string, text: string): AsyncGenerator<Hit> {
  const wanted = text.toLowerCase();
  for (const turn of await turnFolders(folder)) {
    for await (const decision of decisionsIn(turn.folder)) {
      for (const record of decision) {
        for (const { where, content } of textsOf(record)) {
          const at = content.toLowerCase().indexOf(wanted);
          if (at < 0) continue;
          const agent = "agent" in record && typeof record.agent === "string" ? record.agent : null;
          yield { log: basename(folder), seq: record.seq, event: record.type, agent, where, excerpt: around(content, at, text.length) };
        }
      }
    }
  }
}

interface Passage {
  readonly where: string;
  readonly content: string;
}

/** What somebody wrote in a record, and what to call it. */
function textsOf(record: Recorded): readonly Passage[] {
  switch (record.type) {
    case "run_started":
      return [{ where: "question", content: record.question }];
    case "answer_submitted":
      return [{ where: `${record.label} (${record.agent})`, content: record.content }];
    case "vote_cast":
      return [{ where: `vote of ${record.agent} for ${record.targetLabel}`, content: record.reason }];
    case "vote_ignored":
      return [{ where: `ignored vote of ${record.agent}`, content: record.reason }];
    case "presentation_finished":
      return [{ where: `final answer (${record.agent})`, content: record.content }];
    case "agent_failed":
      return [{ where: `failure of ${record.agent}`, content: record.message }];
    case "agent_stopped":
      return [{ where: `${record.agent} stopped`, content: record.summary }];
    case "tool_start":
      return [{ where: `${record.agent} calls ${record.name}`, content: record.argsPreview }];
    case "tool_complete":
      return [{ where: `${record.agent} gets from ${record.name}`, content: record.resultPreview }];
    default:
      return [];
  }
}

const BEFORE = 40;
const AFTER = 100;

function around(content: string, at: number, length: number): string {
  const from = Math.max(0, at - BEFORE);
  const piece = oneLine(content.slice(from, at + length + AFTER).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, ""));
  return `${from > 0 ? "…" : ""}${preview(piece, BEFORE + AFTER + length)}${at + length + AFTER < content.length ? "…" : ""}`;
}

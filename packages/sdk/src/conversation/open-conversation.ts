import { dirname, resolve } from "node:path";
import { type RunOptions, refuseLaterOptions } from "../options.js";
import { ownVersion } from "../own-version.js";
import type { RunPlan } from "../prepare-run.js";
import { resolveTeam } from "../resolve-team.js";
import { type Conversation, startConversation } from "./conversation.js";
import { findSession, sessionPlaces } from "./find-session.js";
import type { Keeping } from "./keep-turns.js";

/** What `openConversation` takes: what `run` takes, less what belongs to one question. */
export type ConversationOptions = Omit<RunOptions, "signal" | "onEvent" | "outputFile" | "verbose">;

/**
 * Opens a conversation with a team. With `sessionId` it is kept in `.massgen/sessions` and gone on with when it is there;
 * without, it lives as long as the object. Close it: others may go on with a session only then.
 *
 * @throws MassgenError as `run` does for a team that is not good, `STORE_CONFLICT` when the session is in use
 *
 * @example
 * const conversation = await openConversation({ config: "team.yaml", sessionId: "design" });
 * await conversation.ask("Which cache policy fits a read-heavy API?");
 * console.log((await conversation.ask("And if it writes more than it reads?")).finalAnswer);
 * await conversation.close();
 */
export async function openConversation(options: ConversationOptions = {}): Promise<Conversation> {
  return startConversation({ ...(await planOf(options)), keep: await keepingOf(options) });
}

/** The team of the options and where its log is kept, without a question. */
export async function planOf(options: RunOptions): Promise<Omit<RunPlan, "question">> {
  refuseLaterOptions(options);
  const { env = process.env, cwd = process.cwd(), conversationHistory, sessionId, fetch, reviewChanges, human, hooks } = options;
  const team = await resolveTeam(options, { env, cwd });
  // A conversation that others go on with has a record.
  const { enableLogging = sessionId !== undefined } = options;
  return {
    loaded: team.loaded,
    rateLimits: team.rateLimits,
    prices: team.prices,
    cwd: resolve(cwd),
    env,
    logs: enableLogging ? { cwd, version: ownVersion(), configPath: team.path } : null,
    modulesFrom: [...(team.path === null ? [] : [dirname(team.path)]), resolve(cwd)],
    ...(conversationHistory === undefined ? {} : { history: conversationHistory.map(({ role, content }) => ({ role, text: content })) }),
    ...(fetch === undefined ? {} : { fetch }),
    ...(reviewChanges === undefined ? {} : { reviewChanges }),
    ...(human === undefined ? {} : { human }),
    ...(hooks === undefined ? {} : { hooks }),
  };
}

async function keepingOf({ sessionId: id, cwd = process.cwd(), env = process.env }: RunOptions): Promise<Keeping | null> {
  if (id === undefined) return null;
  const where = { cwd: resolve(cwd), env };
  return { places: sessionPlaces(where), session: await findSession(id, where), id };
}

import type { Conversation } from "@massgen/sdk";
import type { Team } from "../commands/load-team.js";
import type { Story } from "./ask-turn.js";

/** What commands are about. */
export interface Dialogue {
  readonly conversation: Conversation;
  readonly team: Team;
  /** The last turn of this process; `null`: none was asked yet. */
  last: Story | null;
  /** Files that `/save` wrote, which it may write again. */
  readonly saved: Set<string>;
}

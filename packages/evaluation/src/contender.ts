/** Who is asked: the team as configured, or one of its agents alone. */
export interface Contender {
  /** `team`, or `agent:` and the id of the agent. */
  readonly id: string;
  /** For tables: `team of 3`, `ada`. */
  readonly name: string;
  /** `null` for the team. */
  readonly agent: string | null;
}

/** The team and each of its agents alone; a team of one is its agent. */
export function contendersOf(agents: readonly string[]): readonly Contender[] {
  const alone = agents.map((agent): Contender => ({ id: `agent:${agent}`, name: agent, agent }));
  return agents.length < 2 ? alone : [{ id: "team", name: `team of ${agents.length}`, agent: null }, ...alone];
}

/** A text of `massgen help <topic>`. The bundler writes them beside the program, so that help starts at once. */
export interface HelpTopic {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly help: string;
  readonly text: string;
}

const config = `A team is a YAML or JSON file. The smallest:

  agents:
    - id: ada
      backend: {type: openai, model: gpt-5-mini}
    - id: bob
      backend: {type: claude, model: claude-haiku-4-5}

Written for you
  massgen --quickstart  a few questions, and it runs; --headless asks nothing
  massgen --init        more questions: what it is for, who, with which tools
  massgen --select      one of yours or of the examples, as it is
  massgen --setup       keys of providers into a .env file that only you can read

Where it is found
  --config <path>       a file, @examples/<name>, or a name in ~/.config/massgen/agents
  without it            .massgen/config.yaml here, then ~/.config/massgen/config.yaml
  --model <name>        no file: a team of one

Sections
  agents                who takes part: id, backend, system_message
  orchestrator          how they work together: votes, limits, budget, modes
  timeout_settings      time limits, in seconds
  ui                    what is shown and logged

Keys of vendors come from the environment or from .env files: ./.env, ./configs/.env,
~/.config/massgen/.env, ~/.massgen/.env. In a file, write \${NAME} or \${NAME:-default}.

Commands
  massgen --show-schema                         every key, its type and its default
  massgen --validate team.yaml                  what is wrong, with line and column
  massgen config explain --config team.yaml     where each value comes from
  massgen --dry-run --config team.yaml          try it with simulated models: cost and time, no key
  massgen --list-examples                       configs to start from
  massgen --example basic/single/single_groq > team.yaml

Editors complete keys with the schema of: massgen --show-schema --json
`;

const tools = `What an agent can do besides writing its answer.

Tools that the vendor runs, switched on in the agent's backend:
  enable_web_search: true         openai, grok, claude, gemini, openrouter
  enable_x_search: true           grok
  enable_code_execution: true     openai, grok, claude, gemini
  enable_tool_search: true        claude

Tools of the team itself, always there:
  new_answer                      submits an answer, or a better one
  vote                            votes for one of the answers the agent has been shown

Files and commands, in the agent's backend:
  cwd: workspace                  a folder of its own for each run, and tools for files
  enable_mcp_command_line: true   commands, behind a sandbox
  orchestrator.context_paths      files and folders of yours that the agents read; with
                                  permission: write the agent that presents may change them

Tools of MCP servers, programs or remote ones, in the agent's backend:
  mcp_servers:
    - {name: docs, command: "npx -y some-mcp-server@1.2.3"}
    - {name: search, url: "https://mcp.example.com/mcp"}
  massgen mcp doctor --config team.yaml     what is wrong with them, and what to do
  massgen mcp tools --config team.yaml      what they offer

Tools of your own: custom_tools names modules (.ts, .js) and their functions. allowed_tools and
exclude_tools choose among all; hooks look at calls before and after.

Which keys work today, and which are known and still to come:
  massgen --show-schema
`;

const modes = `How a team works together. All of it can be set below "orchestrator" in a config.

  voting (default)      every agent works on the whole question, sees the others' answers without
                        names, and submits a better one or votes. A new answer voids the votes.
                        When all have voted, the winner presents.
  coordination_mode: decomposition
                        a part each (agents[].subtask, or worked out first); the presenter_agent puts them together
  workflow: sequential  one after the other
  single_agent_mode     one agent: direct (one answer) or refine (it works on its own answers)

Shorter and cheaper
  --quick                           one answer each, merged into one
  max_new_answers_per_agent: 1      one answer each, then votes
  skip_voting, skip_final_presentation, skip_coordination_rounds
  budget: {max_total_cost_usd: 0.5} a limit on spending

Stricter
  voting_sensitivity: strict        votes only for answers that are good
  convergence_threshold: 0.66       share of the team that must agree
  voting_method: weighted_by_confidence

Examples: massgen --list-examples
`;

const exitCodes = `What massgen gives back to the shell.

  0   there is an answer; a check or a list went well
  1   configuration: not found, not valid, a key is missing, no question, not supported yet
  2   no answer, or only a partial one; an internal failure; a wrong command line
  3   the time limit was reached, with or without an answer; the best one is shown
  4   interrupted; what was there is saved
  5   budget: a limit of orchestrator.budget was reached

In scripts:
  if massgen --automation --config team.yaml "question" > answer.txt; then …
  massgen --validate team.yaml --strict || exit 1
`;

export const helpTopics: readonly HelpTopic[] = [
  { name: "config", aliases: ["configs", "configuration"], help: "how a team file is written and found", text: config },
  { name: "tools", aliases: ["tool"], help: "what agents can do", text: tools },
  { name: "modes", aliases: ["mode"], help: "how a team works together", text: modes },
  { name: "exit-codes", aliases: ["exit codes", "exit", "codes"], help: "what massgen gives back to the shell", text: exitCodes },
];

/** `exit codes`, `exit-codes` and the like; in any case. */
export function findTopic(words: string): HelpTopic | undefined {
  const wanted = words.trim().toLowerCase();
  return helpTopics.find(({ name, aliases }) => name === wanted || aliases.includes(wanted));
}

import { commands } from "./commands.js";

import type { Flag, ValueKind } from "./flag.js";
import { recordFlags } from "./record-flags.js";
import { skillFlags } from "./skill-flags.js";

export type { Flag, ValueKind };

type Extra = Partial<Pick<Flag, "alias" | "repeatable" | "commands">>;
type Value = Flag["value"];

const text = (name: string): Value => ({ name, kind: "text" });
const whole = (name: string): Value => ({ name, kind: "positive-integer" });
const port: Value = { name: "port", kind: "port" };
const oneOf = (name: string, ...choices: readonly string[]): Value => ({ name, kind: { choices } });
const optionally = (name: string): Value => ({ name, kind: "text", optional: true });

const inSection =
  (section: string, status: Flag["status"]) =>
  (name: Flag["name"], value: Value, help: string, extra: Extra = {}): Flag => ({ name, value, section, status, help, ...extra });

const question = inSection("Question, config and model", "built");
const setup = inSection("Setting up", "built");
const output = inSection("Output", "built");
const web = inSection("In a browser", "built");
const limits = inSection("Limits", "built");
const together = inSection("How the agents work together", "built");
const check = inSection("Checking a config", "built");
const examples = inSection("Example configs", "built");
const listings = inSection("Providers and models", "built");
const evaluation = inSection("Evaluation", "built");
const sessions = inSection("Sessions", "built");
const general = inSection("General", "built");
const known = inSection("Known, not supported yet", "known");

/** Those that parse flags; `help` takes words. */
const builtCommands = commands.filter(({ name, status }) => status === "built" && name !== "help").map(({ name }) => name);

/** Every flag of `massgen [options] [question]` (docs/spec/cli.md 3). The parser, the help and the tests read this table. */
export const flags: readonly Flag[] = [
  question("--config", text("path"), "team file, @examples/name, or the name of a user config", {
    commands: ["config", "compare", "doctor", "eval", "mcp", "serve", "worker"],
  }),
  question("--model", text("name"), "run one model, or replace the model of a one-agent config", { commands: ["config", "eval"] }),
  question("--backend", text("type"), "provider of --model, where the name does not tell", { commands: ["config", "eval"] }),
  question("--base-url", text("url"), "API root of the one agent", { commands: ["config", "eval"] }),
  question("--system-message", text("text"), "system text of the one agent", { commands: ["config"] }),
  question("--resume", text("log-folder"), "go on with a run that was cut off; latest: the newest log"),
  question("--dry-run", null, "run it with simulated models: checks everything, forecasts calls, tokens, cost and time; no key needed"),
  question("--review", null, "show the presenter's file changes and ask before they are applied"),

  setup("--quickstart", null, "a team in under a minute, from the keys and local servers that are there; then run it"),
  setup("--setup", null, "store keys of providers: asked for, never shown, readable for you only"),
  setup("--init", null, "build a team in a dialogue"),
  setup("--select", null, "pick a team from yours and the examples, and run it"),
  setup("--headless", null, "no questions: with --quickstart, --setup (keys from standard input) or --select (a list)"),
  setup("--quickstart-agent", text("key=value,…"), "with --headless: an agent by id, backend, model, reasoning_effort", {
    repeatable: true,
  }),
  setup("--generate-config", text("path"), "write a team without questions"),
  setup("--config-agents", whole("count"), "with --generate-config: how many agents (default 2)"),
  setup("--config-backend", text("type"), "with --generate-config: their provider"),
  setup("--config-model", text("name"), "with --generate-config: their model"),
  setup("--config-agent-id", text("id"), "with --generate-config: the id of the one agent"),
  setup("--config-docker", null, "with --generate-config: they may run commands in containers"),
  setup("--config-context-path", text("path"), "with --generate-config: a folder they may read"),

  output("--no-display", null, "plain lines, no live area", { commands: ["demo"] }),
  output("--automation", null, "stable KEY: value lines for scripts", { commands: ["demo", "compare", "eval"] }),
  output("--stream-events", null, "JSON lines on stdout, automation lines on stderr", { commands: ["demo"] }),
  output("--output-file", text("path"), "also write the final answer there", { commands: ["demo"] }),
  output("--no-logs", null, "keep no log folder", { commands: ["demo", "compare", "eval", "serve"] }),
  output("--record", null, "record every model call in the log, for massgen replay", { commands: ["config", "demo"] }),
  output("--debug", null, "debug log, in the log folder and on stderr", { commands: ["demo", "compare", "eval", "serve"] }),
  output(
    "--display",
    oneOf("kind", "rich", "textual"),
    "textual (default on a terminal): all of it, with keys; rich: lines and a live area",
    {
      commands: ["demo"],
    },
  ),
  known("--save-streaming-buffers", null, "keep the raw stream of every agent"),
  known("--logfire", null, "export traces"),
  known("--skip-agent-selector", null, "no selector after the run"),
  known("--textual-serve", null, "terminal screens in the browser"),
  known("--textual-serve-port", port, "port of --textual-serve"),
  web("--web", null, "the page in a browser: start runs, watch them, read why an answer won", { commands: ["serve"] }),
  web("--web-port", port, "port of --web (default 8000); 0 takes a free one"),
  web("--web-host", text("address"), "address of --web (default 127.0.0.1)"),
  web("--no-browser", null, "say where the page is, open no browser"),
  web("--web-quickstart", null, "the page, opened where keys and a team are set up"),
  known("--web-review", null, "review in the browser"),

  limits("--orchestrator-timeout", whole("seconds"), "time limit until the decision (default 1800)", {
    commands: ["config", "compare", "eval"],
  }),
  limits("--rate-limit", null, "keep to the limits of the rate limit file", {
    alias: "--enable-rate-limiting",
    commands: ["config", "compare", "eval"],
  }),
  together("--single-agent", optionally("id"), "keep one agent of the config: the named one, else the first", { commands: ["config"] }),
  together("--coordination-mode", oneOf("mode", "parallel", "decomposition"), "all on the whole with votes, or a part each", {
    commands: ["config"],
  }),
  together("--quick", null, "one answer each, merged into one; no refinement", { commands: ["config"] }),
  known("--personas", oneOf("kind", "off", "perspective", "implementation", "methodology"), "give each agent a persona"),
  known("--fast", null, "fewer verifications and fixes"),
  known("--broadcast", oneOf("to", "human", "agents", "false"), "whom agents may ask"),
  known("--eval-criteria", text("file"), "criteria for the evaluation"),
  known("--checklist-criteria-preset", text("name"), "a prepared list of criteria"),
  question("--cwd-context", oneOf("access", "ro", "rw", "read", "write"), "give the agents the current directory, to read or to change"),
  question("--no-parse-at-references", null, "take @path in the question literally"),

  known("--plan", null, "make a plan"),
  known("--plan-depth", oneOf("depth", "dynamic", "shallow", "medium", "deep"), "size of the plan"),
  known("--plan-thoroughness", oneOf("level", "standard", "thorough"), "care of the plan"),
  known("--plan-steps", whole("count"), "steps of the plan"),
  known("--plan-chunks", whole("count"), "chunks of the plan"),
  known("--plan-and-execute", null, "plan, then carry it out"),
  known("--execute-plan", text("plan"), "carry out a plan"),
  known("--spec", null, "write a requirement document"),
  known("--execute-spec", text("spec"), "carry out a requirement document"),
  known("--step", null, "one agent, one action"),
  known("--session-dir", text("path"), "state of --step"),

  known("--setup-docker", null, "fetch container images"),
  known("--setup-skills", null, "fetch skills"),

  check("--validate", text("file"), "check a config file and exit"),
  check("--strict", null, "with --validate: warnings are errors"),
  check("--json", null, "with --validate, --dry-run or a list: JSON", { commands: ["config", "doctor", "mcp"] }),
  check("--show-schema", null, "every key of a config; with --json a JSON Schema for editors"),
  check("--schema-backend", text("type"), "with --show-schema: also the keys of this provider"),
  check("--with-examples", null, "with --show-schema: also examples"),
  check("--strict-validation", null, "warnings of the config stop a run", { commands: ["compare", "eval"] }),
  check("--skip-validation", null, "skip the semantic checks of the config"),
  listings("--list-backends", null, "providers, their keys (set or missing, never shown) and default models"),
  listings("--update-prices", optionally("url"), "fetch a public price list; runs never do"),
  listings("--list-models", optionally("provider"), "models; asks the server when there is a key or it is local"),
  examples("--list-examples", null, "list the example configs that ship with massgen"),
  examples("--example", text("name"), "print one example config"),

  sessions("--continue", null, "go on with the newest session of this folder"),
  sessions("--session-id", text("id"), "go on with this session, or begin one of this name"),
  sessions("--list-sessions", null, "list your sessions, newest first"),
  sessions("--all", null, "with --list-sessions: all of them, with details"),
  sessions("--no-session-registry", null, "keep no session: nothing to go on with later"),

  general("--version", null, "print the version", {
    alias: "-V",
    commands: builtCommands,
  }),
  general("--help", null, "print this help", {
    alias: "-h",
    commands: builtCommands,
  }),
];

const server = inSection("Server", "built");
const ofServe = { commands: ["serve"] };
/** Also of `massgen mcp serve`, which is the same server when it speaks HTTP. */
const ofServers = { commands: ["serve", "mcp"] };
const serveFlags: readonly Flag[] = [
  server("--host", text("address"), "address to listen on (default 127.0.0.1)", ofServers),
  server("--port", port, "port to listen on (default 4000); 0 takes a free one and says which", ofServers),
  server("--default-model", text("name"), "model of the default team where no config names one", {
    commands: ["serve", "mcp", "worker"],
  }),
  server("--api-key", text("key"), "clients must send this key; better in MASSGEN_SERVER_API_KEY", { ...ofServers, repeatable: true }),
  server("--keys-file", text("path"), "clients must send a key whose hash is in this file", ofServers),
  server("--new-key", text("name"), "make a key, print it, add its hash to --keys-file, and exit", ofServe),
  server("--insecure", null, "listen beyond this machine without a key", ofServers),
  server("--max-concurrent", whole("runs"), "runs at a time (default 4); more are refused with 429", ofServers),
  server("--requests-per-minute", whole("count"), "limit for each key, or each address without keys", ofServers),
  server("--cors-origin", text("origin"), "let pages of this origin call the server", { ...ofServe, repeatable: true }),
  server("--http", null, "with mcp serve: over HTTP at /mcp instead of standard input and output", { commands: ["mcp"] }),
  server("--allow-any-path", null, "let massgen/path: name configs outside of the server's folder", { commands: ["serve", "worker"] }),
  server("--database-url", text("url"), "PostgreSQL of the queue; better in MASSGEN_DATABASE_URL", { commands: ["serve", "worker"] }),
  server("--max-waiting", whole("runs"), "runs that may wait for a worker (default 1000); more are refused with 429", ofServe),
  server("--concurrency", whole("runs"), "runs at a time (default 2); one number for all workers of a queue", { commands: ["worker"] }),
  server("--drain-seconds", whole("seconds"), "after a signal, wait so long for runs under way (default 600)", { commands: ["worker"] }),
];

/** Flags of one command only, besides those of the table that name it. */
export const commandFlags: readonly Flag[] = [
  ...serveFlags,
  ...skillFlags,
  general("--online", null, "ask every vendor whose key is set for its models: free, and tells whether the key works", {
    commands: ["doctor"],
  }),
  evaluation("--dataset", text("path"), "questions with known answers, JSON lines: a file, @examples/arithmetic or @examples/general", {
    commands: ["eval"],
  }),
  evaluation("--results", text("path"), "where results are kept; an existing file is gone on with", { commands: ["eval"] }),
  evaluation("--retry-failed", null, "ask again what failed before; needs --results", { commands: ["eval"] }),
  evaluation("--limit", whole("count"), "ask so many questions: the first ones, or with --seed a sample", { commands: ["eval"] }),
  evaluation("--seed", whole("number"), "draw and order the questions by this number", { commands: ["eval"] }),
  evaluation("--concurrency", whole("count"), "runs at a time (default 1)", { commands: ["eval"] }),
  evaluation("--max-calls", whole("count"), "begin no run after so many calls to models in this sitting", { commands: ["eval"] }),
  evaluation("--max-cost", whole("dollars"), "begin no run after so many US dollars in this sitting", { commands: ["eval"] }),
  evaluation("--judge", text("command"), "decides on questions for a judge: JSON on its standard input, exit 0 right, 1 wrong", {
    commands: ["eval"],
  }),
  evaluation("--judge-timeout", whole("seconds"), "longest time for one judgement (default 60)", { commands: ["eval"] }),
  evaluation("--judge-env", text("names"), "keys and tokens of the environment that the judge may have, with commas between them", {
    commands: ["eval"],
  }),
  evaluation("--demo", null, "a simulated team: no key, no network; says nothing about models", { commands: ["compare", "eval"] }),
  evaluation("--json", null, "one JSON object on stdout", { commands: ["compare", "eval"] }),
  ...recordFlags,
];

/**
 * How much of a run the user wants to see, and where. `null` as `mode` leaves it to the config and the terminal; `silent`,
 * which only a config can ask for, is the answer and nothing else.
 */
export interface OutputRequest {
  readonly mode: "plain" | "silent" | "automation" | "events" | null;
  readonly outputFile: string | null;
  readonly logs: boolean;
  readonly debug: boolean;
}

export interface RunRequest {
  readonly kind: "run";
  readonly question: string | null;
  readonly config: string | null;
  readonly model: string | null;
  readonly backend: string | null;
  readonly baseUrl: string | null;
  readonly systemMessage: string | null;
  readonly timeoutSeconds: number | null;
  /** `null` leaves it to the config. */
  readonly rateLimit: true | null;
  /** Id of the agent to keep; `true` for the first. */
  readonly singleAgent: string | true | null;
  readonly coordinationMode: "parallel" | "decomposition" | null;
  readonly quick: true | null;
  readonly record: true | null;
  /** What warnings of the config do: `strict` stops the run, `skip` leaves the semantic checks out. */
  readonly validation: "normal" | "strict" | "skip";
  readonly output: OutputRequest;
}

/** What the command line asks for; all that the program does follows from it. */
export type CliRequest =
  | RunRequest
  | { readonly kind: "demo"; readonly question: string | null; readonly record: true | null; readonly output: OutputRequest }
  | { readonly kind: "replay"; readonly log: string }
  /** `path`: `null` for all values. `team` is the run that they would be the values of. */
  | { readonly kind: "config-explain"; readonly path: string | null; readonly json: boolean; readonly team: RunRequest }
  /** `log`: a folder, or `latest`. */
  | { readonly kind: "resume"; readonly log: string; readonly output: OutputRequest }
  | { readonly kind: "validate"; readonly file: string; readonly strict: boolean; readonly json: boolean }
  | { readonly kind: "show-schema"; readonly json: boolean; readonly backend: string | null; readonly examples: boolean }
  | { readonly kind: "list-examples"; readonly json: boolean }
  | { readonly kind: "list-backends"; readonly json: boolean }
  /** `provider`: `null` for all. */
  | { readonly kind: "update-prices"; readonly url: string | null }
  | { readonly kind: "list-models"; readonly provider: string | null; readonly baseUrl: string | null; readonly json: boolean }
  | { readonly kind: "example"; readonly name: string }
  | { readonly kind: "help"; readonly topic: string | null }
  | { readonly kind: "version" };

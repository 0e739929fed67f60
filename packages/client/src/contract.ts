// The whole namespace, not `{ z }`: bundlers keep all of what `z` holds, every language of its messages included.
import * as z from "zod";

/** Body of `POST /api/runs`. */
export const startRun = z.strictObject({
  question: z.string().min(1, "must not be empty").max(5_000_000),
  /**
   * Names the team as in `POST /v1/chat/completions`: `massgen` for the default, `massgen/<example>`, `massgen/model:<name>`, …
   * Left out: the team that answered last in the conversation, and without one the default.
   */
  model: z.string().max(1_000).optional(),
  /** The conversation the question belongs to; a new id begins one. Left out: the run stands alone. */
  sessionId: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,127}$/, "must be 1 to 128 letters, digits or _ . -, and begin with a letter or digit")
    .optional(),
  /**
   * Somebody watches the run and answers with `POST /api/runs/{id}/requests/{requestId}` when a hook or a policy wants a person's
   * consent to a call. Left out: nobody does, and such calls are refused at once.
   */
  answersRequests: z.boolean().default(false),
  /**
   * Somebody looks at what the presenter changed in files of the user's before it is brought there, with `GET` and
   * `POST /api/runs/{id}/review`. Left out: it is brought at the end of the run.
   */
  reviewsChanges: z.boolean().default(false),
  /**
   * Files and folders of the machine that the agents work on, besides those of the config: absolute, with `~`, or below the folder
   * of the server. Only where keys and teams may be written too; else 403.
   */
  contextPaths: z
    .array(
      z.strictObject({ path: z.string().min(1, "must not be empty").max(4_096), permission: z.enum(["read", "write"]).default("read") }),
    )
    .max(50)
    .default([]),
});
export type StartRun = z.input<typeof startRun>;

/** Body of `POST /api/runs/{id}/answer-now` and `/cancel`. */
export const steerRun = z.strictObject({ reason: z.string().max(1_000).optional() });
/** `took`: whether the run still could. */
export const steered = z.object({ took: z.boolean() });
export type Steered = z.infer<typeof steered>;

/** Body of `POST /api/runs/{id}/input`: what is said to all agents at work, or to the one named by its id. */
export const sendInput = z.strictObject({
  text: z
    .string()
    .max(50_000)
    .refine((text) => text.trim() !== "", "must not be empty"),
  agent: z.string().min(1).max(200).optional(),
});
export type SendInput = z.infer<typeof sendInput>;

/** Body of `POST /api/runs/{id}/requests/{requestId}`. `allow_run`: and every other call that is asked about for the same reason. */
export const answerRequest = z.strictObject({ reply: z.enum(["allow_once", "allow_run", "deny"]) });
export type RequestReply = z.infer<typeof answerRequest>["reply"];

/** Body of `POST /api/runs/{id}/review`. `some`: those with these `paths`, as the review names them; `later` leaves them waiting. */
export const decideReview = z
  .strictObject({ accept: z.enum(["all", "none", "some", "later"]), paths: z.array(z.string().max(10_000)).max(100_000).optional() })
  .refine(({ accept, paths }) => (accept === "some") === (paths !== undefined), {
    path: ["paths"],
    message: "goes with accept: some, and only with it",
  });
export type DecideReview = z.infer<typeof decideReview>;

/** What the presenter did to one file of the user's. */
export const changedFile = z.object({
  /** Where it belongs, absolute: names the change in decisions. */
  path: z.string(),
  /** As people read it: relative to the context path. */
  name: z.string(),
  kind: z.enum(["added", "modified", "deleted"]),
  /** Unified; `null` for what is no text, too large, or decided in an earlier process: `changes.diff` among the artefacts has it. */
  diff: z.string().nullable(),
  addedLines: z.number(),
  removedLines: z.number(),
  sizeBefore: z.number().nullable(),
  sizeAfter: z.number().nullable(),
  isBinary: z.boolean(),
  /** Where a link leads to. */
  linkTo: z.string().nullable(),
  isProgram: z.boolean(),
  /** Tools run it by themselves one day: a workflow, a hook, a build file. */
  runsLater: z.boolean(),
  /** Forbidden by the config or the rules for files of its kind: it is not brought whatever is decided. */
  refused: z.boolean(),
  /** Why it could not be brought now: its place was changed meanwhile. */
  conflict: z.string().nullable(),
  /** What became of it; `null` while nobody has decided. */
  outcome: z.enum(["applied", "rejected", "conflict", "refused", "waiting", "unfinished"]).nullable(),
  /** Why it was not applied, for people. */
  reason: z.string().nullable(),
});
export type ChangedFile = z.infer<typeof changedFile>;

export const review = z.object({
  /** `pending`: the run is at work, and there may be one; `none`: no file was changed. */
  state: z.enum(["pending", "none", "open", "decided"]),
  presenter: z.string().nullable(),
  /** Who decided; `run`: nobody was to be asked. */
  decidedBy: z.enum(["run", "person", "nobody"]).nullable(),
  /** When it stops waiting, Unix milliseconds; `null` when it waits until somebody decides. */
  openUntilMs: z.number().nullable(),
  /** What tools run by themselves one day comes first. */
  files: z.array(changedFile),
});
export type Review = z.infer<typeof review>;

export const runState = z.enum([
  // No worker has taken it yet.
  "queued",
  "running",
  "completed",
  "timeout",
  "cancelled",
  "error",
  "budget",
  "waiting_for_review",
  "interrupted",
  "unreadable",
]);
export type RunState = z.infer<typeof runState>;

/** One run as lists show it. */
export const runSummary = z.object({
  /** Names the run in all paths of the API. */
  id: z.string(),
  state: runState,
  question: z.string().nullable(),
  /** Ids of the configuration, in its order. */
  agents: z.array(z.string()),
  winner: z.string().nullable(),
  /** Unix milliseconds. */
  startedAtMs: z.number().nullable(),
  durationMs: z.number().nullable(),
  /** US dollars; `null` when a price is unknown or nothing is known yet. */
  costUsd: z.number().nullable(),
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  /** Conversation of the run; `null` for a run that stands alone. Lists leave it out of what only a log tells: ask for the run. */
  sessionId: z.string().nullable(),
  /** What `POST /api/runs` calls the team; `null` where a request cannot name it, and in lists like `sessionId`. */
  model: z.string().nullable(),
  simulated: z.boolean(),
});
export type RunSummary = z.infer<typeof runSummary>;

export const runList = z.object({
  runs: z.array(runSummary),
  total: z.number(),
  /** The server only shows runs: what would start, steer or decide one is refused. Left out: it does more. */
  readOnly: z.boolean().optional(),
});
export type RunList = z.infer<typeof runList>;

/** A file that a run left: a record of it, an answer, or something an agent made. */
export const artefact = z.object({
  /** From the folder of the run, with `/`. */
  path: z.string(),
  bytes: z.number(),
});
export type Artefact = z.infer<typeof artefact>;
export const artefactList = z.object({ artefacts: z.array(artefact), truncated: z.boolean() });
export type ArtefactList = z.infer<typeof artefactList>;

export const sessionSummary = z.object({
  id: z.string(),
  status: z.string(),
  turns: z.number(),
  startedAt: z.string(),
  description: z.string().nullable(),
});
export type SessionSummary = z.infer<typeof sessionSummary>;
/** `GET /api/sessions/{id}`: a conversation with its turns, oldest first. */
export const sessionTurns = z.object({
  id: z.string(),
  /** The team that answered last, as `POST /api/runs` calls it; `null` where a request cannot name it. */
  model: z.string().nullable(),
  turns: z.array(
    z.object({
      turn: z.number(),
      /** Names its run; `null` where no log is kept. */
      runId: z.string().nullable(),
      question: z.string(),
      /** Of a turn that was cut off what was there; `null`: nothing. */
      answer: z.string().nullable(),
      isComplete: z.boolean(),
      winner: z.string().nullable(),
      /** ISO 8601. */
      at: z.string(),
    }),
  ),
});
export type SessionTurns = z.infer<typeof sessionTurns>;
export const sessionList = z.object({ sessions: z.array(sessionSummary), total: z.number() });

/** `GET /v1/models`, as OpenAI's clients read it. */
export const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Every answer from status 400 on. */
export const apiError = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string().nullable() }),
});

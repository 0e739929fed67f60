import * as z from "zod";

/** A provider as a person chooses one. Never holds a key. */
export const providerState = z.object({
  /** As it is written in a config. */
  type: z.string(),
  name: z.string(),
  /** Where its key is kept; `null` for what needs none. */
  variable: z.string().nullable(),
  /** `optional`: works without; `none`: there is no key. */
  key: z.enum(["set", "missing", "optional", "none"]),
  /**
   * Where a key that is set comes from: the `keyFile`, from which it can be removed; the environment the server was started with;
   * or another `.env` file, which somebody else keeps. `null`: it is not set.
   */
  from: z.enum(["keyFile", "environment", "otherFile"]).nullable(),
  local: z.boolean(),
  /** Models that are known by name, the one to start with first. */
  models: z.array(z.string()),
});
export type ProviderState = z.infer<typeof providerState>;

/** `GET /api/setup`: what a first run needs, and whether it is there. */
export const setupState = z.object({
  providers: z.array(providerState),
  /** The file that keys are written to, as a person would name it. */
  keyFile: z.string(),
  /** Why no run can begin with the default team; `null` when one can. */
  problem: z.string().nullable(),
});
export type SetupState = z.infer<typeof setupState>;

/** Body of `PUT /api/setup/keys`. */
export const storeKey = z.strictObject({ variable: z.string().max(200), value: z.string().max(4_000) });
export type StoreKey = z.infer<typeof storeKey>;
/** `wins`: false when the environment of the server has another value of the name, which counts. */
export const storedKey = z.object({ variable: z.string(), wins: z.boolean() });
export type StoredKey = z.infer<typeof storedKey>;
/** Answer of `DELETE /api/setup/keys/{variable}`. `removed`: whether it was in the `keyFile`. `still`: another place has a value of the name. */
export const removedKey = z.object({ variable: z.string(), removed: z.boolean(), still: z.boolean() });
export type RemovedKey = z.infer<typeof removedKey>;

export const teamSummary = z.object({
  /** For `StartRun.model`. */
  model: z.string(),
  name: z.string(),
  summary: z.string(),
  /** Whether it came with the program. */
  isExample: z.boolean(),
  /** Whether a question that names no team goes to it. */
  isDefault: z.boolean(),
  /** Empty for a file with errors. */
  agents: z.array(
    z.object({
      id: z.string(),
      /** As it is written in a config. */
      type: z.string(),
      model: z.string().nullable(),
      /** `none`: it needs none. */
      key: z.enum(["set", "missing", "none"]),
      /** Where its key is looked for; the first that is set counts. */
      variables: z.array(z.string()),
    }),
  ),
});
export type TeamSummary = z.infer<typeof teamSummary>;
/** A default team that lies where no request can name it goes by `massgen`. */
export const teamList = z.object({ teams: z.array(teamSummary) });

/** `GET /api/folders?path=…`: one folder of the machine, to choose from. */
export const folderListing = z.object({
  /** Absolute. */
  path: z.string(),
  /** `null` at the top. */
  parent: z.string().nullable(),
  /** Folders first, each by name; those whose names begin with a dot last. */
  entries: z.array(z.object({ name: z.string(), path: z.string(), isFolder: z.boolean() })),
  /** More was there than is listed. */
  truncated: z.boolean(),
});
export type FolderListing = z.infer<typeof folderListing>;

/** `GET /api/configs/content?model=…`. */
export const teamContent = z.object({ model: z.string(), text: z.string() });

export const configFinding = z.object({
  severity: z.enum(["error", "warning"]),
  code: z.string(),
  message: z.string(),
  suggestion: z.string().nullable(),
  location: z.string(),
  line: z.number().nullable(),
  column: z.number().nullable(),
});
export type ConfigFinding = z.infer<typeof configFinding>;
/** Body and answer of `POST /api/configs/check`. */
export const checkConfig = z.strictObject({ text: z.string().max(1_000_000) });
export const checkedConfig = z.object({ isValid: z.boolean(), findings: z.array(configFinding), agents: z.array(z.string()) });
export type CheckedConfig = z.infer<typeof checkedConfig>;

/** Body of `POST /api/configs/draft`; answered with the text of a config. */
export const draftConfig = z.strictObject({
  agents: z
    .array(
      z.strictObject({
        id: z
          .string()
          .regex(/^[\w.-]{1,64}$/, "must be 1 to 64 letters, digits or _ . -")
          .optional(),
        type: z.string().max(200),
        model: z.string().min(1, "must not be empty").max(300),
      }),
    )
    .min(1, "needs at least one")
    .max(20),
  /** Files of their own, and what they may do with the folder of the server. */
  files: z.enum(["none", "own", "read", "write"]).default("none"),
  webSearch: z.boolean().default(false),
});
export type DraftConfig = z.input<typeof draftConfig>;
export const draftedConfig = z.object({ text: z.string() });

/** Body of `POST /api/configs`: kept as `.massgen/<name>.yaml` below the folder of the server; `config` is the default team. */
export const saveConfig = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][\w-]{0,63}$/, "must be 1 to 64 letters, digits or _ -, and begin with a letter or digit"),
  text: z.string().max(1_000_000),
  /** A file that is there is kept beside it as `.bak`. */
  replace: z.boolean().default(false),
});
export type SaveConfig = z.input<typeof saveConfig>;
/** `model`: for `StartRun.model`. */
export const savedConfig = z.object({ model: z.string(), path: z.string() });

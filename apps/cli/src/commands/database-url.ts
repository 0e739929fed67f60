type Env = Readonly<Record<string, string | undefined>>;

const NAME = "MASSGEN_DATABASE_URL";

/** The flag wins over the environment, where other users of the machine do not see a password. */
export const databaseOf = (flag: string | null, env: Env): string | null => flag ?? (env[NAME]?.trim() || null);

/** What runs see: the address of the queue is no business of theirs. */
export const withoutDatabase = (env: Env): Env => ({ ...env, [NAME]: undefined });

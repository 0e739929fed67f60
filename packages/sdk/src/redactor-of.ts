import { createRedactor, REDACTED, secretsInEnvironment } from "@massgen/logs";

/**
 * Takes these secrets out of a text, however they are escaped. Leaves alone what only looks like a key: in an answer that is
 * an example, and the answer is what the user paid for.
 */
export function redactorOf(secrets: readonly string[]): (text: string) => string {
  const { forms } = createRedactor(secrets);
  if (forms.length === 0) return (text) => text;
  const known = new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
  return (text) => text.replace(known, REDACTED);
}

/** For texts about a run that is over, of which nothing else is known. */
export const environmentRedactor = (env: Readonly<Record<string, string | undefined>>): ((text: string) => string) =>
  redactorOf(environmentSecrets(env));

/** Values of the environment whose names say that they are secret. Shells keep the folder in `PWD`, which is no password. */
export function environmentSecrets({
  PWD: _pwd,
  OLDPWD: _oldPwd,
  ...env
}: Readonly<Record<string, string | undefined>>): readonly string[] {
  return secretsInEnvironment(env);
}

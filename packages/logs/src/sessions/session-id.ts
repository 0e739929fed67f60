import { MassgenError } from "@massgen/contracts";

const FORM = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/;

/** @throws MassgenError `USAGE`, exit code 2, for a text that is no id of a session */
export function checkSessionId(id: string): string {
  if (FORM.test(id)) return id;
  throw new MassgenError("USAGE", `${JSON.stringify(id)} is no id of a session.`, {
    exitCode: 2,
    hint: "An id has up to 64 letters, digits, dots, dashes and underscores, and does not begin with a dot.",
  });
}

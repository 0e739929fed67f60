import { limited } from "../process/gate.js";
import type { Sandbox } from "./sandbox.js";

/** No walls: the command has the rights of the user who started the run. Only for those who wrote `off`. */
export function createUnsandboxed(): Sandbox {
  return {
    kind: "off",
    report: () => ({
      kind: "off",
      program: null,
      writes: "unconfined",
      reads: "unconfined",
      network: "host",
      processes: "found",
      sentence: "Commands run WITHOUT a sandbox: an agent can read, change and send whatever you can.",
    }),
    async prepare(command) {
      return { argv: limited(command.argv, command.limits), cwd: command.cwd, env: command.env, holdsItsTree: false };
    },
    async close() {},
  };
}

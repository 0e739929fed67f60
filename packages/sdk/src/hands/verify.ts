import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment, MassgenConfig } from "@massgen/config";
import type { Verification } from "@massgen/contracts";
import type { Verify } from "@massgen/core";
import { createCommandRunner, judgeCommandAccess } from "@massgen/exec";
import { lookForSandbox } from "./commands.js";
import type { Hands } from "./hands.js";
import { lendDependencies } from "./lend-dependencies.js";

export interface VerifyOptions {
  readonly config: MassgenConfig;
  readonly command: string;
  readonly hands: Hands | null;
  readonly env: Environment;
  readonly home: string;
  readonly runId: string;
}

export interface OpenVerify {
  readonly verify: Verify;
  readonly note: string;
}

/**
 * The user's check of answers (docs/spec/coordination.md 7 W21): the command runs in a copy of the candidate's files with the
 * text as `answer.md` beside them (`$ANSWER_FILE` names it), behind the same sandbox as agents' commands and without keys.
 * What was installed in the agent's workspace is there too. Exit code 0 is a pass. Nothing it does reaches the agents' folders.
 */
export async function openVerify(options: VerifyOptions): Promise<OpenVerify> {
  const { config, command, hands, env, home, runId } = options;
  const isOff = config.agents.some((agent) => agent.hands?.commands?.sandbox === "off");
  const access = judgeCommandAccess(isOff ? "off" : "auto", await lookForSandbox(env, home), { mayAsk: false });
  if (access.is !== "granted") {
    const why = `there is no sandbox for it. ${access.reason} ${access.remedy}`;
    return { note: `Answers are not checked: ${why}`, verify: () => Promise.reject(new Error(why)) };
  }
  const timeoutMs = config.orchestrator.verifyTimeoutSeconds * 1000;
  const verify: Verify = async ({ agent, content, snapshot }, signal) => {
    const place = await mkdtemp(join(tmpdir(), "massgen-verify-"));
    const [files, checkHome] = [join(place, "files"), join(place, "home")];
    await mkdir(files);
    await mkdir(checkHome);
    const sandbox = access.build(checkHome);
    try {
      if (snapshot !== null) await hands?.copy(snapshot, files);
      const own = hands?.of(agent)?.files.workspace ?? null;
      // Without walls whatever writes through a link would write into the agent's folder.
      const readable = own === null ? [] : await lendDependencies(own, files, access.warning === null ? "link" : "copy");
      const answer = existsSync(join(files, "answer.md")) ? "massgen-answer.md" : "answer.md";
      await writeFile(join(files, answer), content);
      const runner = createCommandRunner({
        sandbox,
        workspace: files,
        home: checkHome,
        network: "none",
        grants: () => ({ writable: [], readable, protected: [], hidden: [] }),
        environment: { host: env, hostHome: home, runId, portBase: null, extra: { ANSWER_FILE: answer }, passthrough: [], autoVenv: true },
      });
      const running = await runner.start({ command, workDir: ".", timeoutMs, signal });
      const { exitCode, endedBy, wallMs, both } = await running.ended;
      const said = both.tail === "" ? both.head : `${both.head}\n…\n${both.tail}`;
      const late = endedBy === "deadline" ? `It was ended after ${timeoutMs / 1000} s.\n` : "";
      const result: Verification = {
        passed: exitCode === 0 && endedBy === "itself",
        exitCode,
        durationMs: wallMs,
        summary: `${late}${said}`,
      };
      return result;
    } finally {
      await sandbox.close();
      await rm(place, { recursive: true, force: true });
    }
  };
  return { verify, note: `Every answer is checked by: ${command}${access.warning === null ? "" : ` (${access.warning})`}` };
}

import { join } from "node:path";
import { keyProviders, providers, refuseKey } from "@massgen/config";
import { parseEnvFile, storeKeys } from "@massgen/config/node";
import { MassgenError } from "@massgen/contracts";
import { whyUnsupported } from "@massgen/sdk/team";
import { canAsk } from "../can-ask.js";
import type { ExitCode } from "../exit.js";
import type { Io } from "../io.js";
import { homeOf, readEnv } from "../read-env.js";
import { askKeys } from "./ask-keys.js";
import { openPrompts } from "./prompts.js";

/** `massgen --setup`: which keys are there, and a place for those that are not. */
export async function setUp({ headless }: { readonly headless: boolean }, io: Io): Promise<ExitCode> {
  const home = homeOf(io);
  if (headless || !canAsk(io)) return setUpHeadless(home, io);
  const prompts = await openPrompts(io);
  prompts.open("Keys of the providers");
  const { lines } = await keyStates(io);
  prompts.show("What is set here; keys are never shown", lines.join("\n"));
  await askKeys(prompts, io);
  prompts.close("A team from what is there: massgen --quickstart. Whether the keys work: massgen doctor --online");
  return 0;
}

/** Takes `NAME=key` lines from standard input, then says what is set. */
async function setUpHeadless(home: string, io: Io): Promise<ExitCode> {
  const values = io.stdinIsTerminal ? new Map<string, string>() : keysIn(await io.readStdin());
  if (values.size > 0) {
    const file = join(home, ".config", "massgen", ".env");
    await storeKeys(file, values);
    io.out.write(`STORED: ${[...values.keys()].join(", ")}\nFILE: ${file}\n`);
  }
  const { lines, set } = await keyStates(io);
  io.out.write(lines.map((line) => `KEY: ${line}\n`).join(""));
  if (set === 0) io.out.write("STEP: printf 'OPENAI_API_KEY=%s\\n' \"$KEY\" | massgen --setup --headless\n");
  io.out.write(`STATUS: ${set === 0 ? "NEEDS_CONFIG" : "SUCCESS"}\n`);
  return set === 0 ? 1 : 0;
}

/** @throws MassgenError that names the line, never what is in it */
function keysIn(text: string): ReadonlyMap<string, string> {
  const { values, problems } = parseEnvFile(text);
  const known = new Set(
    providers.flatMap(({ keyVariables, endpointVariable }) => [...keyVariables, ...(endpointVariable === null ? [] : [endpointVariable])]),
  );
  const refuse = (message: string): MassgenError =>
    new MassgenError("CONFIG_INVALID", `Nothing was stored: ${message}`, { exitCode: 1, hint: "Write one key a line: OPENAI_API_KEY=…" });
  for (const { line, message } of problems) throw refuse(`line ${line} of standard input is ${message.replace("; skipped", "")}.`);
  for (const [name, value] of values) {
    if (!known.has(name)) throw refuse(`${name} is no variable of a provider.`);
    const why = name.endsWith("_ENDPOINT") ? undefined : refuseKey([name], value);
    if (why !== undefined) throw refuse(`${name}: ${why}`);
  }
  return new Map([...values].map(([name, value]) => [name, value.trim()]));
}

async function keyStates(io: Io): Promise<{ readonly lines: readonly string[]; readonly set: number }> {
  const { env } = await readEnv(io);
  const rows = keyProviders((type) => whyUnsupported(type) === null).map(({ keyVariables }) => {
    const variable = keyVariables.find((name) => (env[name] ?? "").trim() !== "");
    return { name: variable ?? keyVariables[0] ?? "", isSet: variable !== undefined };
  });
  const width = Math.max(...rows.map(({ name }) => name.length));
  return {
    lines: rows.map(({ name, isSet }) => `${name.padEnd(width)}  ${isSet ? "set" : "missing"}`),
    set: rows.filter(({ isSet }) => isSet).length,
  };
}

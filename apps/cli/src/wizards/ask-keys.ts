import { join } from "node:path";
import { keyProviders, providers, refuseKey } from "@massgen/config";
import { storeKeys } from "@massgen/config/node";
import { whyUnsupported } from "@massgen/sdk/team";
import type { Io } from "../io.js";
import { homeOf, readEnv } from "../read-env.js";
import { type Choice, NO_NAME } from "./fitting.js";
import type { Prompts } from "./prompts.js";

const DONE = `${NO_NAME}done`;

/** Asks for keys, one after the other, and where they go. Nothing is written before the last answer; no key is ever shown. */
export async function askKeys(prompts: Prompts, io: Io): Promise<void> {
  const home = homeOf(io);
  const { env } = await readEnv(io);
  const entered = new Map<string, string>();
  for (;;) {
    const type = await prompts.find(entered.size === 0 ? "Which key do you have?" : "Another one?", choices(env, entered));
    if (type === DONE) break;
    const provider = providers.find((one) => one.type === type);
    const [variable = ""] = provider?.keyVariables ?? [];
    const key = await prompts.secret(`Key of ${provider?.name} (${variable})`, (input) => refuseKey(provider?.keyVariables ?? [], input));
    entered.set(variable, key.trim());
  }
  if (entered.size === 0) return;
  const file = await prompts.select("Where shall they be kept? Only you will be able to read the file.", [
    { value: join(home, ".config", "massgen", ".env"), label: "~/.config/massgen/.env", hint: "for all your projects" },
    { value: join(home, ".massgen", ".env"), label: "~/.massgen/.env", hint: "the same, of an older kind" },
    { value: join(io.cwd, ".env"), label: "./.env", hint: "for this folder; keep it out of git" },
  ]);
  await storeKeys(file, entered);
  prompts.wrote(file);
  prompts.say("done", `${[...entered.keys()].join(", ")} ${entered.size === 1 ? "is" : "are"} kept in ${file}.`);
  const now = (await readEnv(io)).env;
  const hidden = [...entered].filter(([name, value]) => now[name] !== value).map(([name]) => name);
  if (hidden.length > 0)
    prompts.say("warning", `Another value of ${hidden.join(", ")} wins: in the environment of your shell, or in a nearer .env file.`);
}

function choices(env: Readonly<Record<string, string>>, entered: ReadonlyMap<string, string>): readonly Choice[] {
  const rows = keyProviders((type) => whyUnsupported(type) === null).map(({ type, name, keyVariables }) => {
    const isSet = keyVariables.some((variable) => (env[variable] ?? "").trim() !== "");
    const state = keyVariables.some((variable) => entered.has(variable)) ? "entered" : isSet ? "set; a new one replaces it" : "missing";
    return { value: type, label: name, hint: `${keyVariables[0]}: ${state}` };
  });
  return [
    ...(entered.size === 0 ? [] : [{ value: DONE, label: "no, that is all" }]),
    ...rows,
    ...(entered.size === 0 ? [{ value: DONE, label: "none" }] : []),
  ];
}

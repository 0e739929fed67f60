import { type Abilities, EFFORTS, type Member, onlyAnswers, suggestTeam, takesEffort } from "@massgen/config";
import type { ReadyProvider } from "./find-ready.js";
import type { Walls } from "./find-walls.js";
import { type Choice, NO_NAME } from "./fitting.js";
import type { Prompts } from "./prompts.js";

const COUNTS = ["1", "2", "3", "4", "5"] as const;
const OTHER = `${NO_NAME}other`;

/** How many, and who. */
export async function askMembers(prompts: Prompts, ready: readonly ReadyProvider[]): Promise<readonly Member[]> {
  const counts = COUNTS.map((count): Choice<(typeof COUNTS)[number]> => ({ value: count, label: count, ...(HINTS[count] ?? {}) }));
  const count = Number(await prompts.select("How many agents?", counts, "3"));
  const suggested = suggestTeam(ready, count);
  const how = await prompts.select<"suggested" | "same" | "each">("Which models?", [
    { value: "suggested", label: suggested.map(({ model }) => model).join(", "), hint: "suggested" },
    ...(count === 1 ? [] : [{ value: "same" as const, label: "one model for all" }]),
    { value: "each", label: count === 1 ? "choose one" : "choose each" },
  ]);
  if (how === "suggested") return suggested;
  if (how === "same") {
    const member = await askMember(prompts, ready, "all agents");
    return Array.from({ length: count }, () => member);
  }
  const members: Member[] = [];
  for (let place = 0; place < count; place++)
    members.push(await askMember(prompts, ready, count === 1 ? "the agent" : `agent ${place + 1}`));
  return members;
}

const HINTS: Readonly<Partial<Record<(typeof COUNTS)[number], { readonly hint: string }>>> = {
  1: { hint: "quick and cheap, nobody checks it" },
  3: { hint: "they check each other and vote" },
};

async function askMember(prompts: Prompts, ready: readonly ReadyProvider[], who: string): Promise<Member> {
  const types = ready.map(({ type, name, because }) => ({ value: type, label: name, hint: because }));
  const type = types.length === 1 ? (ready[0]?.type ?? "") : await prompts.select(`Provider for ${who}?`, types);
  const models = ready.find((provider) => provider.type === type)?.models ?? [];
  const choices = [...models.map((model) => ({ value: model, label: model })), { value: OTHER, label: "another: type its name" }];
  const chosen = await prompts.find(`Model for ${who}?`, choices);
  const model =
    chosen === OTHER
      ? (await prompts.text("Name of the model?", { refuse: (name) => (name.trim() === "" ? "Type a name." : undefined) })).trim()
      : chosen;
  if (!takesEffort(type, model)) return { type, model };
  const effort = await prompts.select<"default" | (typeof EFFORTS)[number]>("How hard shall it think?", [
    { value: "default", label: "as the model does by itself" },
    ...EFFORTS.map((value) => ({ value, label: value })),
  ]);
  return { type, model, ...(effort === "default" ? {} : { reasoningEffort: effort }) };
}

/** What they may do; commands only behind walls that there are. */
export async function askAbilities(prompts: Prompts, walls: Walls): Promise<Abilities> {
  const level = await prompts.select<"answer" | "read" | "write" | "sandbox" | "container">("What may they do?", [
    { value: "answer", label: "answer", hint: "no files, no commands" },
    { value: "read", label: "read this folder" },
    { value: "write", label: "change this folder", hint: "each works on a copy; only the winner's changes arrive" },
    ...(walls.sandbox
      ? [{ value: "sandbox" as const, label: "change this folder and run commands", hint: "in a sandbox, without network" }]
      : []),
    ...(walls.container
      ? [{ value: "container" as const, label: "change this folder and run commands in containers", hint: "without network" }]
      : []),
  ]);
  if (level === "answer") return onlyAnswers;
  const commands = level === "sandbox" || level === "container" ? level : "none";
  return { ...onlyAnswers, files: level === "read" ? "read" : "write", commands };
}

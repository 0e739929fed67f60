import type { ProviderState } from "@massgen/client";

/** One agent as the form has it. */
export interface Member {
  readonly id: string;
  readonly type: string;
  readonly model: string;
}

/** What can be chosen: those that can be asked now first. `chatcompletion` shares a key and is no choice of its own. */
export const providersFor = (providers: readonly ProviderState[]): readonly ProviderState[] => {
  const choices = providers.filter(({ type }) => type !== "chatcompletion");
  return [...choices.filter(({ key }) => key === "set"), ...choices.filter(({ key }) => key !== "set")];
};

export const startModel = (providers: readonly ProviderState[], type: string): string =>
  providers.find((one) => one.type === type)?.models[0] ?? "";

/** Two of different vendors where there are two keys; else two of what there is. */
export function firstTeam(providers: readonly ProviderState[]): readonly Member[] {
  const ready = providersFor(providers).filter(({ key, models }) => key === "set" && models.length > 0);
  const from = ready.length > 0 ? ready : providersFor(providers).filter(({ models }) => models.length > 0);
  const [first, second = first] = from;
  if (first === undefined || second === undefined) return [];
  return [memberOf(0, first, 0), memberOf(1, second, second === first ? 1 : 0)];
}

export function addMember(members: readonly Member[], providers: readonly ProviderState[]): readonly Member[] {
  const ready = providersFor(providers).filter(({ models }) => models.length > 0);
  const fresh = ready.find(({ type, key }) => key === "set" && !members.some((member) => member.type === type)) ?? ready[0];
  return fresh === undefined ? members : renamed([...members, memberOf(members.length, fresh, 0)]);
}

export const removeMember = (members: readonly Member[], place: number): readonly Member[] =>
  renamed(members.filter((_, index) => index !== place));

const memberOf = (place: number, { type, models }: ProviderState, at: number): Member => ({
  id: idAt(place),
  type,
  model: models[at % models.length] ?? "",
});

const idAt = (place: number): string => `agent_${String.fromCharCode(97 + place)}`;
const renamed = (members: readonly Member[]): readonly Member[] => members.map((member, place) => ({ ...member, id: idAt(place) }));

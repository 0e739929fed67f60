/** @typedef {import("./steps.mjs").Step} Step */

/**
 * Groups that run one after the other, each of lanes that run side by side. A step without a lane is a group of its own.
 *
 * @param {readonly Step[]} steps @returns {readonly (readonly (readonly Step[])[])[]}
 */
export function sideBySide(steps) {
  /** @type {Map<string | undefined, Step[]>[]} */
  const groups = [];
  let before = "";
  for (const step of steps) {
    const { lane = "" } = step;
    const last = groups.at(-1);
    if (last === undefined || lane === "" || before === "") groups.push(new Map([[lane, [step]]]));
    else last.set(lane, [...(last.get(lane) ?? []), step]);
    before = lane;
  }
  return groups.map((lanes) => [...lanes.values()]);
}

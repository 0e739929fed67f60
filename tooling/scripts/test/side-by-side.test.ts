import { expect, it } from "vitest";
import { sideBySide } from "../side-by-side.mjs";
import { steps } from "../steps.mjs";

const step = (name: string, lane?: string) => ({ name, command: [], ...(lane === undefined ? {} : { lane }) });
const names = (list: Parameters<typeof sideBySide>[0]) =>
  sideBySide(list).map((lanes) => lanes.map((lane) => lane.map(({ name }) => name)));

it.each([
  ["nothing", [], []],
  ["steps without a lane, one after the other", [step("a"), step("b")], [[["a"]], [["b"]]]],
  ["neighbours with lanes, side by side", [step("a", "x"), step("b", "x"), step("c", "y")], [[["a", "b"], ["c"]]]],
  ["what stands between them, apart", [step("a", "x"), step("b"), step("c", "y")], [[["a"]], [["b"]], [["c"]]]],
] as const)("groups %s", (_, list, groups) => {
  expect(names(list)).toEqual(groups);
});

it("leaves out no step of the check and runs none twice", () => {
  expect(sideBySide(steps).flat(2)).toEqual(steps);
});

import { expect, it } from "vitest";
import { ANSWER, converse, openAdapter, ordinaryTool, recordScript } from "../src/loop/conversation.js";
import { loopByHand } from "../src/loop/floor.js";

it("ours and the floor ask as often, send the same results and come to the same answer", async () => {
  const script = await recordScript();
  const bodies: { readonly ours: string[]; readonly floor: string[] } = { ours: [], floor: [] };
  await converse(openAdapter(script(3, (body) => bodies.ours.push(body))), ordinaryTool("Saved."));
  const answer = await loopByHand(
    script(3, (body) => bodies.floor.push(body)),
    () => "Saved.",
  );
  expect(answer).toBe(ANSWER);
  const results = (list: readonly string[]): readonly number[] => list.map((body) => body.split('"Saved."').length - 1);
  expect([results(bodies.ours), results(bodies.floor)]).toEqual([
    [0, 1, 2, 3],
    [0, 1, 2, 3],
  ]);
});

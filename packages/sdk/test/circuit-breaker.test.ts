import { scriptedTeam, startSimulator, step } from "@massgen/simulator";
import { expect, it, onTestFinished } from "vitest";
import { run } from "../src/index.js";

it("agents of one vendor share its breaker: once it is open nobody asks, and the others decide", async () => {
  const team = scriptedTeam({ "cid-model": [step.answer("Use ARC."), step.vote("agent3", "the only one"), step.text("ARC it is.")] });
  const simulator = await startSimulator({
    respond: (request) => (request.model === "cid-model" ? team(request) : { kind: "failure", status: 503 }),
  });
  onTestFinished(() => simulator.close());
  const backend = (type: string, id: string) => ({
    type,
    model: `${id}-model`,
    base_url: simulator.baseUrl("chat_completions"),
    llm_circuit_breaker_enabled: true,
    llm_circuit_breaker_max_failures: 1,
  });
  const agents = [
    { id: "ada", backend: backend("chatcompletion", "ada") },
    { id: "bob", backend: backend("chatcompletion", "bob") },
    { id: "cid", backend: backend("groq", "cid") },
  ];
  const messages: string[] = [];
  const onEvent = (event: object): void => {
    messages.push(JSON.stringify(event));
  };
  const result = await run("Which cache policy?", { config: { agents }, env: { GROQ_API_KEY: "gsk_1234567890" }, onEvent });
  expect(result).toMatchObject({ status: "completed", winner: "cid", finalAnswer: "ARC it is." });
  const failed = simulator.requests.filter(({ model }) => model !== "cid-model");
  // Both may be on their way before the first fails; without a breaker there would be four each, and again after a restart.
  expect(failed.length).toBeLessThanOrEqual(2);
  expect(messages.join("\n")).toContain("nothing is sent for 1 min (until ");
});

// The whole path with stand-ins for the models: configuration, official SDKs over HTTP, votes, log folder. No key, no network.
import { run } from "@massgen/sdk";
import { createSimulatedTeam, startSimulator } from "@massgen/simulator";

const simulator = await startSimulator({ respond: createSimulatedTeam() });
const backend = (model: string) => ({ type: "chatcompletion", model, base_url: simulator.baseUrl("chat_completions"), api_key: "none" });

const result = await run("Which cache policy fits a read-heavy API?", {
  config: {
    agents: [
      { id: "ada", backend: backend("stand-in-1") },
      { id: "bob", backend: backend("stand-in-2") },
      { id: "cleo", backend: backend("stand-in-3") },
    ],
  },
  enableLogging: true,
});
await simulator.close();

console.log(`${result.status}: ${result.winner} won with ${result.winnerLabel}; ${simulator.requests.length} requests`);
console.log(result.finalAnswer);
console.log(result.finalAnswerPath);

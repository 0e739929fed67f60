import { converseAtOnce, type Who } from "./many.js";

// A process of its own, so that its memory is that of these conversations.
const [who = "ours", baseUrl = "", agents = "1"] = process.argv.slice(2);
await converseAtOnce(who as Who, { baseUrl, agents: Number(agents) });

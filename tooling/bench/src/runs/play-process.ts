import { playRuns } from "./play.js";

// A process of its own, so that its time and memory are those of these runs.
const [folder = "", runs = "1", agents = "1", atOnce = ""] = process.argv.slice(2);
const sample = await playRuns(folder, { runs: Number(runs), agents: Number(agents), atOnce: atOnce === "at-once" });
process.stdout.write(JSON.stringify(sample));

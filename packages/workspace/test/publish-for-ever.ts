import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkspaces } from "@massgen/workspace";

// node --import tsx publish-for-ever.ts BASE RUN_ID : says "ready" after the first version, and goes on until it is killed.
const [baseDir, runId] = process.argv.slice(2) as [string, string];
const run = await createWorkspaces({ baseDir, runId, agents: [{ id: "ada", anon: "agent1", cwd: "work" }] });
const ada = await run.open("ada");
for (let round = 0; ; round++) {
  for (let file = 0; file < 200; file++) writeFileSync(join(ada.root, `f${file}`), `${round} ${file}`);
  await ada.publish();
  if (round === 2) process.stdout.write("ready\n");
}

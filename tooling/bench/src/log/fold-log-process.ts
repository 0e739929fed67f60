import { foldLog } from "./fold-log.js";

await foldLog(process.argv[2]!);

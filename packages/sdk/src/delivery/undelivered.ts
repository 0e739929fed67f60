import { join } from "node:path";
import type { RunId } from "@massgen/contracts";

/** Where the changes of a run wait until they are delivered; `base` is the `.massgen` folder. */
export const undeliveredFolder = (base: string, runId: RunId): string => join(base, "undelivered", runId);

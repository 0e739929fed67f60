import { readFileSync } from "node:fs";
import { openReplay, type ReplayServer, type ReplayVendor, type Reply } from "@massgen/testing/node";
import { brokenRules } from "./vendor-rules.js";

export type { ReplayServer, Reply };

const vendor: ReplayVendor = {
  recordings: new URL("../recordings/", import.meta.url),
  brokenRules,
  refusal: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
};

export const openReplayServer = (...replies: readonly Reply[]): Promise<ReplayServer> => openReplay(vendor, replies);

export const recording = (name: string): Buffer => readFileSync(new URL(name, vendor.recordings));
